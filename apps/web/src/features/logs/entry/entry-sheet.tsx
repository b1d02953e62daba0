import { useQuery } from '@tanstack/react-query'
import type { LogEntry } from '@tollgate/api'
import { ArrowRight, ChevronDown, ChevronUp, FileQuestion } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { stepOf } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { LinkButton } from '../../../components/ui/link-button.tsx'
import { Sheet } from '../../../components/ui/overlay/sheet.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { formatDateTime } from '../../../lib/format/format.ts'
import { entryQuery } from '../api.ts'
import { TypeTag } from '../cells/row-cells.tsx'
import type { LogRow } from '../log-row.ts'
import { isCall } from '../log-type.ts'
import { EntryDetails } from './entry-details.tsx'
import { isEntry } from './find-entry.ts'

export interface EntrySheetProps {
  readonly admin: boolean
  readonly entry: string
  readonly at: number | undefined
  /** The rows on screen: the neighbours to go to, and usually the row itself. */
  readonly rows: readonly LogRow[] | undefined
  readonly onOpen: (row: LogEntry) => void
  readonly onClose: () => void
}

/** One row of the log, looked at closely. */
export function EntrySheet({ admin, entry, at, rows, onOpen, onClose }: EntrySheetProps) {
  const { t } = useTranslation('logs')
  const { data, error, refetch, isFetching } = useQuery(entryQuery({ admin, entry, at, rows }))
  const position = rows?.findIndex((row) => isEntry(row.entry, entry)) ?? -1
  const before = position > 0 ? rows?.[position - 1]?.entry : undefined
  const after = position >= 0 ? rows?.[position + 1]?.entry : undefined
  useNeighbourKeys((step) => {
    const next = step > 0 ? after : before
    if (next) onOpen(next)
  })
  return (
    <Sheet
      open
      onClose={onClose}
      size="lg"
      title={data ? <SheetTitle row={data} /> : t('entry.title')}
      {...(data && { description: <time className="figures">{formatDateTime(data.created_at)}</time> })}
      footer={
        <div className="flex w-full flex-wrap gap-2">
          {position >= 0 && (
            <>
              <Neighbour row={before} icon={ChevronUp} onOpen={onOpen}>
                {t('entry.newer')}
              </Neighbour>
              <Neighbour row={after} icon={ChevronDown} onOpen={onOpen}>
                {t('entry.older')}
              </Neighbour>
            </>
          )}
          {data && data.request_id !== '' && (
            <LinkButton to="/log/request/$id" params={{ id: data.request_id }} size="sm" className="ml-auto">
              {t('request.open')}
              <ArrowRight className="size-3.5" aria-hidden />
            </LinkButton>
          )}
        </div>
      }
    >
      {data ? (
        <EntryDetails key={data.id} entry={data} admin={admin} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : data === null ? (
        <EmptyState
          icon={FileQuestion}
          title={t('entry.missing')}
          action={
            <Button loading={isFetching} onClick={() => void refetch()}>
              {t('entry.lookAgain')}
            </Button>
          }
        >
          {t('entry.missingHint')}
        </EmptyState>
      ) : (
        <LoadingDetails />
      )}
    </Sheet>
  )
}

/** Parts of the sheet in which the arrows have a meaning already. */
const ownArrows = 'input, textarea, select, pre, [role="menu"], [role="listbox"]'

/** The keys that go from row to row in the table do so in the sheet too. */
function useNeighbourKeys(go: (step: 1 | -1) => void): void {
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const step = stepOf(event)
      const inOther = event.target instanceof Element && event.target.closest(ownArrows) !== null
      if (step === undefined || inOther) return
      event.preventDefault()
      latest.current(step)
    }
    // On the way down: the dialog lets no arrow out.
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}

function SheetTitle({ row }: { readonly row: LogEntry }) {
  const { t } = useTranslation('logs')
  return (
    <span className="flex items-center gap-2">
      <span className="truncate font-mono">{row.model_name || t('entry.number', { id: row.id })}</span>
      {!isCall(row) && <TypeTag entry={row} />}
    </span>
  )
}

interface NeighbourProps {
  readonly row: LogEntry | undefined
  readonly icon: typeof ChevronUp
  readonly onOpen: (row: LogEntry) => void
  readonly children: ReactNode
}

function Neighbour({ row, icon, onOpen, children }: NeighbourProps) {
  return (
    <Button size="sm" icon={icon} disabled={!row} onClick={() => row && onOpen(row)}>
      {children}
    </Button>
  )
}

function LoadingDetails() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton className="h-7! w-40!" />
      <Skeleton />
      <Skeleton />
      <Skeleton className="w-2/3!" />
      <Skeleton className="mt-4 h-24!" />
    </div>
  )
}
