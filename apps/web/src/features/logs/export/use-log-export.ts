import { calls } from '@tollgate/api'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { requestContent } from '../../../lib/api/api-client.ts'
import { fileNameOf, saveFile } from '../../../lib/browser/save-file.ts'
import { clockHere } from '../../../lib/format/reader-clock.ts'
import { dateNow } from '../../../lib/server-clock.ts'
import { toast } from '../../../lib/toast.ts'
import type { LogView } from '../api.ts'
import { queryOf } from '../log-filter.ts'
import { readLines } from './read-lines.ts'

export interface LogExportControl {
  /** Rows that have arrived; `undefined` while nothing is exported. */
  readonly rows: number | undefined
  readonly start: () => void
  readonly cancel: () => void
}

/** Reads everything under the filter as CSV and hands it to the browser as a file, counting rows as they come. */
export function useLogExport({ admin, filter }: LogView): LogExportControl {
  const { t } = useTranslation('logs')
  const [rows, setRows] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(signal: AbortSignal): Promise<void> {
    const now = dateNow()
    const query = { ...queryOf(filter, now, admin), ...clockHere(now) }
    const response = await requestContent(admin ? calls.logs.export : calls.logs.exportSelf, {
      query,
      signal,
    })
    // The first line names the columns.
    const content = await readLines(response, (lines) => setRows(Math.max(0, lines - 1)))
    saveFile(fileNameOf(response), content)
    toast.success(t('export.done'))
  }

  async function start(): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setRows(0)
    try {
      await run(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      setRows(undefined)
    }
  }

  return { rows, start: () => void start(), cancel: () => running.current?.abort() }
}
