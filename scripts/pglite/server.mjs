// Serves PostgreSQL with pgvector, in the memory of this process, on a port of the loopback interface. It writes the URL when it is ready, and ends with its input.
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { createServer } from 'node:net'

// freePort is a port that nobody has.
const freePort = () => new Promise((resolve, reject) => {
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})

const port = Number(process.argv[2]) || await freePort()
const db = await PGlite.create({ extensions: { vector } })
const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 20 })
await server.start()
process.stdout.write(`postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable\n`)
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
