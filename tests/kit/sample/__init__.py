"""A part made up for the kit's tests, with one operation for each thing the kit promises."""
