# Prompt of the shop.
autoload -U colors && colors
typeset -gx SHOP_PROMPT='%n'
alias -g L='| less'
setopt prompt_subst

# Runs before each prompt.
precmd() {
  print -P "%F{red}${(j:,:)names}%f"
}

function shop-status () {
  [[ -n $1 ]] && echo ${1:t}
}
