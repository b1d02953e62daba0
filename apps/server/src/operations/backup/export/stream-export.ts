import type { Clock } from '@tollgate/base'
import type { Ledger } from '../../../billing/ledger-types.ts'
import type { Vault } from '../../../lib/crypto.ts'
import { type OpeningKeys, openerOf } from '../../../lib/key-ring.ts'
import { zipStream } from '../../../lib/zip/zip-stream.ts'
import type { CopySource } from '../../../store/engine/copy/copy-source.ts'
import { openFileSource } from '../../../store/engine/copy/file-source.ts'
import { openServerSource } from '../../../store/engine/copy/server-source.ts'
import { databaseFile } from '../../../store/engine/open/database-file.ts'
import { BackupError } from '../errors.ts'
import { exportPieces } from './export-pieces.ts'

interface Dependencies {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly vault: Pick<Vault, 'openingKeys'>
  readonly version: string
  readonly ledger: Pick<Ledger, 'flush'>
  readonly clock: Clock
  readonly installationFile: (file: InstallationFile) => AsyncIterable<Uint8Array>
}

/** Input of an export; plain data, because another thread may make it. */
export interface InstallationFile {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** Keys that open secrets; absent where these stay out. */
  readonly keys: OpeningKeys | undefined
  readonly version: string
  readonly now: Date
}

/** Rows at once: reading and writing them takes a few milliseconds, in which the thread does nothing else. */
const batchRows = 100

/** Makes exports of a gateway that serves, as a ZIP archive that is written while it is read, with the record for the audit log. */
export function createStreamExport({
  databaseUrl,
  dataDir,
  vault,
  version,
  ledger,
  clock,
  installationFile,
}: Dependencies) {
  async function* pieces(withKeys: boolean): AsyncGenerator<Uint8Array> {
    // Calls that have ended are in it.
    await ledger.flush()
    const keys = withKeys ? vault.openingKeys() : undefined
    yield* installationFile({ databaseUrl, dataDir, keys, version, now: new Date(clock.now()) })
  }
  return (withKeys: boolean) => ({ stream: pieces(withKeys), exported: installationRecord(withKeys) })
}

/** The archive in pieces. It reads over a connection of its own, as of one moment. */
export async function* installationPieces({
  databaseUrl,
  dataDir,
  keys,
  version,
  now,
}: InstallationFile): AsyncGenerator<Uint8Array> {
  const source =
    databaseUrl === undefined
      ? openFileSource(databaseFile(dataDir), batchRows)
      : await openServerSource(databaseUrl, batchRows)
  const open = keys && openerOf(keys)
  yield* closing(source, () => zipStream(exportPieces({ source, open, version, now }), now))
}

/** Returns the entry of an export for the audit log. */
export function installationRecord(withKeys: boolean) {
  const target = { kind: 'gateway', name: withKeys ? 'with keys' : 'without keys' } as const
  return { action: 'gateway.export', target } as const
}

export type StreamExport = ReturnType<typeof createStreamExport>

/** A browser that takes nothing for so long is gone: what it reads keeps a write-ahead log, or old rows, from being cleared away. */
const maxPauseMs = 60_000

/** Exported for its test. */
export async function* closing(
  source: CopySource,
  read: (source: CopySource) => AsyncIterable<Uint8Array>,
  pauseMs = maxPauseMs,
): AsyncGenerator<Uint8Array> {
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= source.close()
    return closed
  }
  let pause: ReturnType<typeof setTimeout> | undefined
  try {
    for await (const piece of read(source)) {
      pause = setTimeout(close, pauseMs)
      yield piece
      clearTimeout(pause)
      if (closed !== undefined) throw new BackupError('The export was not taken for a minute, and was ended.')
    }
  } finally {
    clearTimeout(pause)
    await close()
  }
}
