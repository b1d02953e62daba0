import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditRecordRow } from '@tollgate/api'
import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RecordSheet } from '../../components/form/form-sheet.tsx'
import { useStops } from '../../components/stops/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { KeyValue } from '../../components/ui/card.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { formatDateTime } from '../../lib/format/format.ts'
import { toast } from '../../lib/toast.ts'
import { callsAroundQuery, knownKind, mayRevert, recordQuery, revertChange, revertKind } from './api.ts'
import { ActionCell, Actor, Target } from './cells.tsx'
import { changesOf } from './difference.ts'
import { DifferenceView } from './difference-view.tsx'
import { effectAt, mayHaveEffect } from './effect.ts'
import { EffectText } from './effect-text.tsx'

export interface AuditRecordSheetProps {
  readonly id: number
  /** The visible rows. A record that is not among them comes from the gateway. */
  readonly rows: readonly AuditRecordRow[] | undefined
  readonly onClose: () => void
}

/** One act, looked at closely. */
export function AuditRecordSheet({ id, rows, onClose }: AuditRecordSheetProps) {
  const { t } = useTranslation('audit')
  const visible = rows?.find((row) => row.id === id)
  const query = useQuery({ ...recordQuery(id), enabled: visible === undefined })
  return (
    <RecordSheet
      query={{ ...query, data: visible ?? query.data }}
      title={t('record.title')}
      onClose={onClose}
    >
      {(record) => (
        <Sheet
          open
          onClose={onClose}
          title={<ActionCell record={record} />}
          description={<time className="figures">{formatDateTime(record.created_at)}</time>}
          {...(mayRevert(record) && { footer: <RevertButton record={record} onReverted={onClose} /> })}
        >
          <RecordDetails record={record} />
        </Sheet>
      )}
    </RecordSheet>
  )
}

interface RevertButtonProps {
  readonly record: AuditRecordRow
  readonly onReverted: () => void
}

/** Takes the change back, after the question that the same change by hand asks: that is a change of its own, which can be taken back too. */
function RevertButton({ record, onReverted }: RevertButtonProps) {
  const { t } = useTranslation('audit')
  const client = useQueryClient()
  const { ask, offerUndo } = useStops()
  const kind = revertKind(record)
  const question = { title: t('revert.question'), confirmLabel: t('revert.label') }
  const revert = useMutation({
    async mutationFn() {
      if (kind !== undefined && !(await ask({ record: record.id }, { ...question, kind }))) return
      await revertChange(client, record.id)
      onReverted()
      if (kind === undefined) toast.success(t('revert.done'))
      else offerUndo(t('revert.done'), [{ reverted: record.id, kind: knownKind(record.target_kind) }])
    },
  })
  return (
    <Button variant="primary" icon={Undo2} loading={revert.isPending} onClick={() => revert.mutate()}>
      {t('revert.label')}
    </Button>
  )
}

/** Failed calls before and after. */
function EffectOf({ record }: { readonly record: AuditRecordRow }) {
  const { t } = useTranslation('audit')
  const { data } = useQuery(callsAroundQuery(record))
  const effect = data && effectAt(data, record.created_at)
  return effect ? <EffectText effect={effect} /> : <span className="text-muted">{t('effect.unknown')}</span>
}

/** Leads to another act of the log. */
function RecordLink({ id }: { readonly id: number }) {
  return (
    <Link
      to="/audit"
      search={(before) => ({ ...before, record: id })}
      className="figures text-accent-text hover:underline"
    >
      #{id}
    </Link>
  )
}

function RecordDetails({ record }: { readonly record: AuditRecordRow }) {
  const { t } = useTranslation('audit')
  const changes = changesOf(record)
  return (
    <div className="flex flex-col gap-5">
      <KeyValue
        className="rounded border bg-sunken px-3 py-2.5"
        items={[
          { label: t('column.target'), value: <Target record={record} /> },
          { label: t('column.actor'), value: <Actor record={record} /> },
          {
            label: t('column.address'),
            value: <span className="wrap-anywhere font-mono text-xs">{record.address}</span>,
          },
          record.reverts !== 0 && { label: t('record.reverts'), value: <RecordLink id={record.reverts} /> },
          record.reverted_by !== 0 && {
            label: t('record.revertedBy'),
            value: <RecordLink id={record.reverted_by} />,
          },
          mayHaveEffect(record) && { label: t('column.effect'), value: <EffectOf record={record} /> },
        ]}
      />
      <section aria-label={t('column.changes')} className="flex flex-col gap-3">
        <h3 className="font-semibold text-sm">{t('column.changes')}</h3>
        {changes.length === 0 ? (
          <p className="text-muted text-sm">{t('difference.nothingLong')}</p>
        ) : (
          <DifferenceView
            changes={changes}
            target={{ targetKind: record.target_kind, targetName: record.target_name }}
          />
        )}
      </section>
    </div>
  )
}
