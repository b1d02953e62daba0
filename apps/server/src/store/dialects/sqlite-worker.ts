import { sealBlock } from '../log-index/seal.ts'
import { readProgram } from '../programs.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import type { WorkerRequest } from './worker-messages.ts'
import { serveCalls } from './worker-service.ts'

let connection: SqliteConnection | undefined

function opened(): SqliteConnection {
  if (connection === undefined) throw new Error('the database is not open')
  return connection
}

serveCalls((request: WorkerRequest): unknown => {
  switch (request.op) {
    case 'open':
      if ('url' in request.opening) throw new Error('this worker opens files')
      connection = openSqliteConnection(request.opening.file, request.opening)
      return undefined
    case 'execute':
      return opened().execute(request.statement)
    case 'batch':
      return opened().batch(request.statements)
    case 'read':
      return opened().run(readProgram(request.name, request.args), 'begin')
    case 'seal':
      return opened().run(sealBlock(request.size), 'begin immediate')
    case 'close':
      return connection?.close()
  }
})
