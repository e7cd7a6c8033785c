#!/usr/bin/env zsh
# Plugin of the shop, in what only zsh reads.
(( $+commands[shop] )) || return 1

0=${${ZERO:-${0:#$ZSH_ARGZERO}}:-${(%):-%N}}
typeset -gA SHOP_ICONS=( open 'o' closed 'x' )

# Lists the shops.
function shop-list {
  local -a shops=( ${(f)"$(command shop list --plain)"} )
  for name state (${(kv)SHOP_STATES}) {
    [[ $name == (main|side)(|-*) ]] || continue
    shop-print $name $state[1]
  }
}

shop-open() { shop open $1 }

# Two names.
function shop-shut shop-close() {
  if [[ -z $1 ]] {
    shop-fail "no shop"
  } elif (( $#1 > 9 )) {
    shop-fail "long name"
  } else {
    shop close -- ${1:t}
  }
}

() {
  local file
  for file in $HOME/.shop/*.zsh(N.); do
    source $file
  done
} "$@"

shop:sync() {
  case $1 in
    (now|soon)*) shop-list | while read -r line; do shop sync $line; done ;|
    *) shop-log "${(q)1}" ;;
  esac
  { shop-lock } always { shop-unlock }
}

shop.done() {
  cat <<-END
	Usage: ${(j: :)${(s.:.)0}} [name]
	END
}

alias so='shop-open'
