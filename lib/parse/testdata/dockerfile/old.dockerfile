FROM alpine
LABEL maintainer "A. Author <author@example.org>"
label version "1.0"
RUN set -eux; \
	for f in a b; do \
		[ -s "$f" ]; \
		[[ ! -e "$f" ]]; \
	done
ENTRYPOINT \
	[ "run", \
	  "it" ]
