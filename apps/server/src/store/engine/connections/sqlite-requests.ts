import { setPriority } from 'node:os'
import { rewriteLog } from '../../accounts/personal/rewrite-log.ts'
import { sqliteTexts } from '../../dialects/sqlite-texts.ts'
import { clearBatch } from '../../log/index/clear.ts'
import { sealBlock } from '../../log/index/seal.ts'
import { improveIndex } from '../../log/index/spans/complete.ts'
import { TermCache } from '../../log/index/terms.ts'
import { FlushStatements } from '../../money/flush/flush-statements.ts'
import type { Statement } from '../../program.ts'
import {
  createReadMemory,
  type ReadArguments,
  type ReadName,
  type ReadResult,
  readProgram,
} from '../../programs.ts'
import type { FlushRequest } from '../../settlement.ts'
import { decodeBatches } from '../../settlement.ts'
import { fromSqlite, openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { type LoadStreams, noStreams, StreamServer } from './stream-server.ts'
import type { Executed, WorkerRequest } from './worker-messages.ts'
import { failureOf } from './worker-server.ts'

let connection: SqliteConnection | undefined
const terms = new TermCache()
const memory = createReadMemory()

function opened(): SqliteConnection {
  if (connection === undefined) throw new Error('the database is not open')
  return connection
}

/** Linux applies this to the calling thread alone: log pages get the processor time that traffic leaves. */
const behindTraffic = 10

function stepBehindTraffic(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, behindTraffic)
  } catch {
    // Some sandboxes forbid it; then pages and traffic share the processor evenly.
  }
}

/** Returns how many log rows it added. */
function flush(request: FlushRequest): number {
  const flushed = new FlushStatements(request, decodeBatches(request.batches), sqliteTexts)
  opened().withoutSync(() => opened().batch(flushed))
  return flushed.logRows
}

function read<Name extends ReadName>(name: Name, args: ReadArguments<Name>): ReadResult<Name> {
  return opened().run(readProgram(name, args, memory), 'begin')
}

/** The database as a thread's streams read it. */
export interface SqliteThread {
  execute(statement: Statement): Promise<Executed>
  read<Name extends ReadName>(name: Name, ...args: ReadArguments<Name>): Promise<ReadResult<Name>>
}

async function translated<Result>(work: () => Result): Promise<Result> {
  try {
    return work()
  } catch (error) {
    throw fromSqlite(failureOf(error))
  }
}

const thread: SqliteThread = {
  execute: (statement) => translated(() => opened().execute(statement)),
  read: (name, ...args) => translated(() => read(name, args)),
}

/** Responds to the requests of a thread over a file. @param loadStreams makes what it streams; nothing by default */
export function sqliteRequests(
  loadStreams: LoadStreams<SqliteThread> = noStreams,
): (request: WorkerRequest) => unknown {
  const streams = new StreamServer(() => loadStreams(thread))
  return (request) => {
    switch (request.op) {
      case 'open':
        if ('url' in request.opening) throw new Error('this worker opens files')
        connection = openSqliteConnection(request.opening)
        if (request.opening.readonly) stepBehindTraffic()
        return undefined
      case 'execute':
        return opened().execute(request.statement)
      case 'batch':
        return opened().batch(request.statements)
      case 'flush':
        return flush(request.flush)
      case 'read':
        return read(request.name, request.args)
      case 'seal':
        return opened().withoutSync(() => opened().run(sealBlock(request.size, terms), 'begin immediate'))
      case 'combine':
        return opened().withoutSync(() => opened().run(improveIndex(request.size), 'begin immediate'))
      case 'clear':
        return opened().withoutSync(() => opened().run(clearBatch(request.before, terms), 'begin immediate'))
      case 'rewrite':
        return opened().run(rewriteLog(request.rewriting, terms), 'begin immediate')
      case 'drop-partition':
        throw new Error('SQLite has no partitions')
      case 'pull':
        return streams.pull(request)
      case 'leave':
        return streams.leave(request.stream)
      case 'close':
        return streams.close().then(() => connection?.close())
    }
  }
}
