import { calls } from '@tollgate/api'
import type { StreamExport } from '../../../operations/backup/export/stream-export.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** Routes by which root exports the installation as a whole. */
export function installationRoutes({
  streamExport,
}: {
  readonly streamExport: StreamExport
}): ConsoleRoute[] {
  return [
    route(calls.installation.export, ({ query }) => ({
      ...streamExport(query.with_keys === 'true'),
      contentType: 'application/zip',
      filename: 'tollgate-export.zip',
    })),
  ]
}
