FILES = $(filter \
	a b, \
	b c)
NAMES = $(shell list | sort [ a)

all: \
	one \
	two
	echo $(dir);)
