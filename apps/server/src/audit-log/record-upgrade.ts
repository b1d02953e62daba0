import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditLog, gatewayActor } from './audit-log.ts'

interface Dependencies {
  readonly dataDir: string
  /** Of this program. */
  readonly version: string
  /** The node's name, for a fleet. */
  readonly node: string
  readonly auditLog: Pick<AuditLog, 'record'>
}

/** Records that another version starts than last time, which the data folder knows. A first start records nothing. */
export async function recordUpgrade({ dataDir, version, node, auditLog }: Dependencies): Promise<void> {
  const file = join(dataDir, 'version')
  const last = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (last === version) return
  if (last !== undefined)
    await auditLog.record(gatewayActor, {
      action: 'gateway.upgrade',
      target: { kind: 'gateway', name: node },
      before: { version: last },
      after: { version },
    })
  writeFileSync(file, `${version}\n`)
}
