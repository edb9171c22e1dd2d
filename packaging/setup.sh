#!/bin/sh
# Gets a checkout ready: Python packages into .venv, and from the system LibreOffice Impress, Chromium, fonts and
# the libraries that a Qt window needs. Writes nothing outside the checkout except through the system's packages.
#
#   packaging/setup.sh             everything that `make demo` and `make test` need; quick when nothing changed
#   packaging/setup.sh --package   the same, and what `make package` needs
#   packaging/setup.sh --again     tries once more to install system programs that could not be installed before
#
# PYTHON names the interpreter to use; otherwise the newest Python from 3.11 on is taken.
set -eu
PATH=$PATH:/usr/sbin:/sbin  # ldconfig, for users whose path leaves it out

top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
venv=.venv
extras=dev
again=no
for option in "$@"; do
    case $option in
        --package) extras=dev,package ;;
        --again) again=yes ;;
        *) echo "setup: unknown option $option (known: --package, --again)" >&2; exit 2 ;;
    esac
done

say() { echo "setup: $*" >&2; }
stop() { say "$1"; [ $# -lt 2 ] || say "Next step: $2"; exit 1; }

# --- What the system has to bring, by purpose --------------------------------------------------------------------

qt_packages="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libglib2.0-0
    libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0
    libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0 libxcb-xkb1"
qt_libraries="libEGL.so.1 libGL.so.1 libxkbcommon.so.0 libxkbcommon-x11.so.0 libdbus-1.so.3 libfontconfig.so.1
    libglib-2.0.so.0 libX11-xcb.so.1 libxcb-cursor.so.0 libxcb-icccm.so.4 libxcb-image.so.0 libxcb-keysyms.so.1
    libxcb-randr.so.0 libxcb-render-util.so.0 libxcb-shape.so.0 libxcb-sync.so.1 libxcb-xfixes.so.0
    libxcb-xinerama.so.0 libxcb-xkb.so.1"
font_packages="fontconfig fonts-dejavu-core fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea
    fonts-noto-cjk fonts-noto-color-emoji"
office_packages="libreoffice-impress"
browser_packages="chromium"

has() { command -v "$1" >/dev/null 2>&1; }

has_qt_libraries() {
    [ "$(uname -s)" = Linux ] || return 0
    known=$(ldconfig -p 2>/dev/null) || return 0
    for library in $qt_libraries; do
        case $known in *"$library"*) ;; *) return 1 ;; esac
    done
}

has_fonts() {
    [ "$(uname -s)" = Linux ] || return 0
    has fc-list || return 1
    families=$(fc-list : family)
    for family in "DejaVu Sans" "Liberation Sans" Carlito Caladea; do
        case $families in *"$family"*) ;; *) return 1 ;; esac
    done
    [ -n "$(fc-list :lang=zh-cn family)" ]
}

# Debian puts Impress beside the other parts of LibreOffice: `soffice` alone may be there without it.
has_office() {
    { has soffice || has libreoffice; } || [ -d /Applications/LibreOffice.app ] || return 1
    ! has apt-get || has loimpress || has simpress || ! has dpkg-query || ! dpkg-query -W libreoffice-core >/dev/null 2>&1
}

has_browser() {
    has chromium || has chromium-browser || has google-chrome || has google-chrome-stable ||
        [ -d "/Applications/Google Chrome.app" ] || [ -d /Applications/Chromium.app ]
}

lacking() {
    has_qt_libraries || printf 'qt '
    has_fonts || printf 'fonts '
    has_office || printf 'office '
    has_browser || printf 'browser '
}

packages_of() {
    case $1 in
        qt) echo $qt_packages ;;
        fonts) echo $font_packages ;;
        office) echo $office_packages ;;
        browser) echo $browser_packages ;;
        *) echo "$1" ;;
    esac
}

purpose_of() {
    case $1 in
        qt) echo "Qt's system libraries (the window and its tests)" ;;
        fonts) echo "fonts, Chinese, Japanese and Korean among them (slides look as they should)" ;;
        office) echo "LibreOffice Impress (PPTX, PPT, ODP decks)" ;;
        browser) echo "Chromium (HTML decks)" ;;
        *) echo "Python's venv module" ;;
    esac
}

list_needs() {
    for need in "$@"; do
        say "  - $(purpose_of "$need")"
        say "      Debian names: $(packages_of "$need")"
    done
}

# Sets `as_root` to what runs a command as root; fails where there is no way to.
find_root() {
    if [ "$(id -u)" -eq 0 ]; then as_root=env
    elif has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as_root="sudo env"
    else return 1
    fi
}

# Installs the Debian packages of the needs given; says why where it cannot.
install_needs() {
    if ! has apt-get; then
        say "there is no apt-get here. These come from your system's own packages:"
        list_needs "$@"
        return 1
    fi
    if ! find_root; then
        say "installing system packages takes root, and there is no sudo here. As root:"
        say "  apt-get install --no-install-recommends $(for need in "$@"; do packages_of "$need"; done | tr '\n' ' ')"
        return 1
    fi
    say "installing with apt: $(for need in "$@"; do purpose_of "$need"; done | paste -sd ';' - | sed 's/;/; /g')"
    apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
    $apt update >"$work/apt.log" 2>&1 || say "apt-get update failed; going on with the lists that are there"
    # shellcheck disable=SC2046  # the names are words
    if ! $apt install -y --no-install-recommends $(for need in "$@"; do packages_of "$need"; done) \
        >>"$work/apt.log" 2>&1; then
        # One name that this release does not know must not keep the others away.
        for need in "$@"; do
            # shellcheck disable=SC2046
            $apt install -y --no-install-recommends $(packages_of "$need") >>"$work/apt.log" 2>&1 || {
                say "apt could not install: $(purpose_of "$need"). It said:"
                grep -E '^(E|W|Err):?' "$work/apt.log" | tail -n 3 | sed 's/^/setup:   /' >&2
            }
        done
    fi
}

# --- Quick way out -----------------------------------------------------------------------------------------------

work=.make
mkdir -p "$work"
digest() { if has sha256sum; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1; }
wanted="$( { echo "$top"; cat pyproject.toml constraints.txt packaging/setup.sh; } | digest)"
packages_ready() {
    [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null || return 1
    [ "$(cat "$venv/setup-$1.stamp" 2>/dev/null)" = "$wanted" ]
}
already_said() { [ "$again" = no ] && [ "$(cat "$work/lacking" 2>/dev/null)" = "$missing" ]; }

missing=$(lacking)
if packages_ready "$extras" && { [ -z "$missing" ] || already_said; }; then
    [ -z "$missing" ] || say "going on without: $missing('make setup' tries again and says more)"
    exit 0
fi

# --- One at a time -----------------------------------------------------------------------------------------------

if has flock; then
    exec 9>"$work/setup.lock"
    flock -n 9 || { say "another set-up is running in this checkout; waiting for it"; flock 9; }
    missing=$(lacking)
fi

# --- Python ------------------------------------------------------------------------------------------------------

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_new_enough "$PYTHON" || stop "PYTHON=$PYTHON is no Python from 3.11 on." "set PYTHON to one that is, or leave it out."
        echo "$PYTHON"
        return
    fi
    for candidate in python3.13 python3.12 python3.11 python3; do
        if has "$candidate" && is_new_enough "$candidate"; then echo "$candidate"; return; fi
    done
    stop "no Python from 3.11 on was found." \
        "install one (Debian: apt-get install python3 python3-venv), or name it: PYTHON=/path/to/python3 make setup"
}

if ! packages_ready "$extras"; then
    python=$(find_python) || exit 1
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        venv_package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        install_needs "$venv_package" || true
        "$python" -c 'import ensurepip, venv' 2>/dev/null ||
            stop "$python has no venv module." "install the package $venv_package, then the same command again."
    fi
fi

# --- System programs ---------------------------------------------------------------------------------------------

if [ -n "$missing" ] && ! already_said; then
    # shellcheck disable=SC2086  # the needs are words
    install_needs $missing || true
    missing=$(lacking)
fi
printf '%s' "$missing" >"$work/lacking"
if [ -n "$missing" ]; then
    say "still missing:"
    # shellcheck disable=SC2086
    list_needs $missing
    say "going on; what needs them is left out and says so."
fi

# --- Python packages ---------------------------------------------------------------------------------------------

if ! packages_ready "$extras"; then
    # A virtual environment holds absolute paths: one from another folder or of a removed Python is made anew.
    if [ "$(cat "$venv/place" 2>/dev/null)" != "$top" ] || ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
        say "making $venv with $("$python" --version)"
        "$python" -m venv --clear "$venv"
        echo "$top" >"$venv/place"
    fi
    if ls "$venv"/setup-*.stamp >/dev/null 2>&1; then say "bringing the Python packages up to date"
    else say "installing Python packages (about two minutes, 1.5 GB)"
    fi
    pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input "$@"; }
    {
        # What builds our own package and the few that come as source: without isolation they must be there.
        pip install -q -c constraints.txt hatchling setuptools wheel &&
            pip install -q -c constraints.txt --no-build-isolation -e ".[$extras]"
    } 2>"$work/pip.log" || {
        grep -v '^WARNING: Location' "$work/pip.log" | tail -n 20 >&2
        stop "the Python packages could not be installed." "see to the network, then the same command again: what is there is kept."
    }
    echo "$wanted" >"$venv/setup-dev.stamp"
    echo "$wanted" >"$venv/setup-$extras.stamp"
fi

case $missing in
    *qt*)
        "$venv/bin/python" -c 'import PySide6.QtWidgets' 2>/dev/null ||
            say "the window cannot open on this machine yet; the commands of the terminal work."
        ;;
esac
say "ready."
