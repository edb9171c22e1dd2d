"""Numbers from slide pictures: harmony, engagement, usability and rhythm; values in, values out."""
