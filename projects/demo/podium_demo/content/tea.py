"""Instance 5, wholly in Chinese: kinds of tea and how to brew them."""

from __future__ import annotations

from podium_demo.outline import (
    Chart,
    ChartKind,
    DemoInstance,
    Flaw,
    Outline,
    Point,
    Section,
    Series,
    Stat,
    Table,
    Take,
)

_CHARTS = {
    "heat": Chart(
        title="建议水温（℃）",
        kind=ChartKind.BAR,
        categories=("绿茶", "黄茶", "白茶", "红茶", "乌龙茶", "黑茶"),
        series=(Series(name="水温", values=(80, 85, 90, 90, 100, 100)),),
        unit="℃",
    ),
}

_TABLES = {
    "kinds": Table(
        title="六大茶类",
        header=("茶类", "氧化程度", "主要工序", "代表"),
        rows=(
            ("绿茶", "几乎不氧化", "杀青、揉捻、干燥", "西湖龙井"),
            ("白茶", "轻微", "萎凋、干燥", "白毫银针"),
            ("黄茶", "轻微", "杀青、揉捻、闷黄、干燥", "君山银针"),
            ("乌龙茶", "部分", "萎凋、做青、杀青、揉捻、干燥", "铁观音"),
            ("红茶", "充分", "萎凋、揉捻、发酵、干燥", "祁门红茶"),
            ("黑茶", "后发酵", "杀青、揉捻、渥堆、干燥", "安化黑茶"),
        ),
    ),
    "brewing": Table(
        title="冲泡参数（盖碗）",
        header=("茶类", "水温", "茶水比", "第一泡"),
        rows=(
            ("绿茶", "80 ℃", "1∶50", "60 秒"),
            ("黄茶", "85 ℃", "1∶50", "60 秒"),
            ("白茶", "90 ℃", "1∶30", "30 秒"),
            ("红茶", "90 ℃", "1∶40", "30 秒"),
            ("乌龙茶", "100 ℃", "1∶20", "20 秒"),
            ("黑茶", "100 ℃", "1∶30", "20 秒"),
        ),
    ),
}

_SECTIONS = (
    Section(
        topic="一叶六茶",
        claim="同一种茶树，因工艺不同而成六大茶类",
        points=(
            Point("同源", "都来自茶树 Camellia sinensis", "六大茶类都来自山茶科的茶树，区别在采摘之后的加工。"),
            Point("标准", "GB/T 30766—2014《茶叶分类》", "国家标准以加工工艺和产品特性为主来划分茶类。"),
            Point("遗产", "2022 年列入人类非遗名录", "中国传统制茶技艺及其相关习俗包括 44 个国家级项目。"),
        ),
        stats=(Stat("6", "大茶类"), Stat("44", "个国家级非遗项目"), Stat("2022", "年列入名录")),
        notes="先让听众说出自己喝过的茶。",
    ),
    Section(
        topic="关键在氧化",
        claim="杀青越早，氧化越少",
        points=(
            Point(
                "氧化",
                "茶多酚变成茶黄素、茶红素",
                "茶多酚在多酚氧化酶作用下变成茶黄素和茶红素，叶色由绿变红。",
            ),
            Point("杀青", "加热使酶失去活性", "加热使酶失活：绿茶先杀青，红茶不杀青，乌龙茶先做青再杀青。"),
            Point("发酵", "只有渥堆才是微生物发酵", "制茶所说的发酵主要是酶促氧化，黑茶渥堆才有微生物大量参与。"),
        ),
        notes="强调“发酵”一词的两种含义。",
    ),
    Section(
        topic="六类工艺",
        claim="工序不同，风味各异",
        points=(
            Point("白茶", "不炒不揉，工序最少", "白茶只有萎凋和干燥，最考验天气和耐心。"),
            Point("黄茶", "比绿茶多一道闷黄", "黄茶在湿热中闷黄，叶子慢慢变黄。"),
            Point("乌龙", "绿叶红镶边", "做青时摇晃叶片，边缘受损氧化，形成绿叶红镶边。"),
        ),
        table="kinds",
        notes="按氧化程度从轻到重讲解。",
    ),
    Section(
        topic="水温",
        claim="芽茶怕烫，粗茶怕凉",
        points=(
            Point("绿茶", "80 ℃，保持鲜爽", "细嫩的绿茶用 80 ℃ 左右的水，避免苦涩。"),
            Point("白茶红茶", "90 ℃ 左右", "白茶和红茶一般用 90 ℃ 左右的水。"),
            Point("乌龙黑茶", "100 ℃ 沸水", "乌龙茶和黑茶用沸水，香气和滋味才能充分溶出。"),
        ),
        stats=(Stat("80 ℃", "绿茶"), Stat("90 ℃", "白茶、红茶"), Stat("100 ℃", "乌龙茶、黑茶")),
        chart="heat",
        notes="没有温度计时，可把沸水晾几分钟。",
    ),
    Section(
        topic="冲泡参数",
        claim="水温、茶量、时间，决定一杯茶",
        points=(
            Point("茶量", "1∶20 至 1∶50", "乌龙茶投茶最多，约 1∶20；绿茶约 1∶50。"),
            Point("时间", "第一泡 20 至 60 秒", "第一泡乌龙茶和黑茶约 20 秒，绿茶约 60 秒。"),
            Point("器具", "玻璃杯、盖碗、紫砂壶", "绿茶用玻璃杯，多数茶用盖碗，紫砂壶适合乌龙茶和黑茶。"),
        ),
        table="brewing",
        notes="每次只改变一个因素。",
    ),
    Section(
        topic="存放与饮用",
        claim="避光、避热、避潮、避氧、避异味",
        points=(
            Point("存放", "绿茶冷藏，白茶黑茶可久存", "绿茶密封冷藏，一年左右饮用；白茶和黑茶可以长期存放。"),
            Point(
                "咖啡因",
                "每克干茶约 20 至 40 毫克",
                "健康成年人每天不超过 400 毫克咖啡因，孕妇以 200 毫克为限。",
            ),
            Point("提醒", "空腹和睡前不喝浓茶", "茶多酚妨碍植物性铁的吸收，缺铁的人宜在两餐之间喝茶。"),
        ),
        stats=(Stat("400 mg", "成年人每日咖啡因上限"), Stat("200 mg", "孕妇上限")),
        notes="依据欧洲食品安全局 2015 年的意见。",
    ),
)

OUTLINE = Outline(
    title="茶叶的分类与冲泡",
    short_title="茶叶的分类与冲泡",
    subtitle="从一片叶子到一杯好茶",
    byline="示例项目 · Podium Studio",
    agenda="目录",
    summary="小结",
    takeaways=(
        "分类看工艺，工艺看氧化",
        "绿茶 80 ℃，乌龙茶和黑茶 100 ℃",
        "冲泡看水温、茶量和时间",
        "每次只改变一个因素，找到自己的味道",
    ),
    sections=_SECTIONS,
    charts=_CHARTS,
    tables=_TABLES,
)

INSTANCE = DemoInstance(
    name="tea-zh",
    title="茶叶的分类与冲泡（科普）",
    scenario="popular science",
    domain="culture",
    language="zh",
    difficulty="medium",
    instruction=(
        "# 任务\n\n根据 `sources/` 中的文章制作一份社区讲座用的幻灯片。\n\n"
        "- 中文，7 至 10 页\n- 用表格或图示说明六大茶类的工艺和冲泡参数\n"
        "- 语言通俗，字号适合投影\n- 不添加文章以外的数据\n"
    ),
    text="tea.md",
    source="tea.pdf",
    outline=OUTLINE,
    takes={
        "Demo Template": Take(sections=(0, 1, 2, 3, 4, 5), palette="moss"),
        "Demo Minimal": Take(
            sections=(0, 1, 2, 3, 4, 5),
            flaws=frozenset({Flaw.PALE}),
            palette="white",
            swaps=(("80 ℃", "90 ℃"),),
        ),
        "Demo Vector": Take(sections=(0, 1, 2, 3, 5), palette="jade"),
        "Demo Web": Take(sections=(0, 2, 3, 5), flaws=frozenset({Flaw.THIN}), palette="paper"),
        "Demo Canvas": Take(sections=(0, 1, 3, 4, 5), palette="ink"),
    },
)
