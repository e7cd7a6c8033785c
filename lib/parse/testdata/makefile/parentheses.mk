NAME = Engine (small)
LAST := $(notdir $(lastword $(sort\
	$(filter-out %-rc1,$(wildcard $(ROOT)/*.x) b))))
INCLUDE := $(if $(PREFIX),--prefix $(PREFIX),)
EACH = $(foreach p,$(PARTS),int $(p)(void);)

all: export MODE = fast (very)
all:: FLAGS += -O2 \
	-g

all:
	cc $(FLAGS)

$(OBJECTS): obj/%.o: %.c head.h | obj
	cc -c $<

last:
	(cd x; true)
