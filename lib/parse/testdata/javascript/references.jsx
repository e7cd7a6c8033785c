const path = require('path')
const { join, sep: separator } = require('path')
const colour = require('./colours').red
require('./effects')

class Till extends React.Component {
  #sum = new Sum()
  static names = list()
  open({ key, by: who }, [first], amount = new Amount()) {
    this.clerk = new Clerk()
    this.clerk.ring(key, who, first)
    amount.add()
    super.open(key)
    return <Panel.Row onClick={() => this.close()}><Price of={amount} /><b>{format(key)}</b></Panel.Row>
  }
}

async function main() {
  const { start } = await import('./start.js')
  const { run } = start()
  run.now()
  for (const till of tills()) till.open()
  join(path.dirname(separator), colour())
}

module.exports = Till
exports.renamed = main
export default connect(Till)
