import { expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEvent } from './audit-log.ts'
import { recordVersion } from './record-upgrade.ts'

it('records another version than that of the last start, once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-version-'))
  const recorded: AuditEvent[] = []
  const auditLog = { record: async (_actor: unknown, event: AuditEvent) => void recorded.push(event) }
  for (const version of ['1.0.0', '1.0.0', '1.1.0', '1.1.0'])
    await recordVersion({ dataDir, version, node: 'one', auditLog })
  expect(recorded).toEqual([
    {
      action: 'gateway.upgrade',
      target: { kind: 'gateway', name: 'one' },
      before: { version: '1.0.0' },
      after: { version: '1.1.0' },
    },
  ])
  rmSync(dataDir, { recursive: true })
})
