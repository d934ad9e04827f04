"""From a text to the entities it may name: firmly by whole names, else by what is near one."""
