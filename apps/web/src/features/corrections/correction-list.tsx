import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CorrectionRow } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Textarea } from '../../components/ui/field/input.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice, Tag } from '../../components/ui/tag.tsx'
import { formatDateTime, formatInteger } from '../../lib/format/format.ts'
import { correctionsQuery, takeCorrectionBack } from './api.ts'

/** The corrections that were made, newest first, each with its way back. */
export function CorrectionList() {
  const { t } = useTranslation('corrections')
  const [chosen, setChosen] = useState<CorrectionRow>()
  return (
    <Card title={t('list.title')}>
      <QueryBoundary query={useQuery(correctionsQuery)}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted text-sm">{t('list.empty')}</p>
          ) : (
            <ul className="flex flex-col divide-y">
              {items.map((correction) => (
                <CorrectionItem
                  key={correction.id}
                  correction={correction}
                  onTakeBack={() => setChosen(correction)}
                />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {chosen && <TakeBackDialog correction={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}

interface CorrectionItemProps {
  readonly correction: CorrectionRow
  readonly onTakeBack: () => void
}

function CorrectionItem({ correction, onTakeBack }: CorrectionItemProps) {
  const { t } = useTranslation('corrections')
  const { id, reason, state, calls, users, amount, selection } = correction
  const filters = [selection.model_name, selection.group, selection.username].filter(Boolean)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words font-medium text-sm">
          {id}. {reason}
        </p>
        <p className="break-words text-muted text-xs">
          {t('list.span', { from: formatDateTime(selection.from), to: formatDateTime(selection.to) })}
          {filters.length > 0 && ` · ${filters.join(' · ')}`}
        </p>
        <p className="break-words text-muted text-xs">
          {t('list.by', { name: correction.actor_name, time: formatDateTime(correction.created_at) })}
        </p>
        {correction.taken_back_at > 0 && (
          <p className="break-words text-muted text-xs">
            {t('list.takenBack', { name: correction.taken_back_by, reason: correction.taken_back_reason })}
          </p>
        )}
      </div>
      <div className="text-sm">
        <Money quota={amount} exact single />
        <p className="figures text-muted text-xs">
          {t('list.counts', { calls: formatInteger(calls), users: formatInteger(users) })}
        </p>
      </div>
      <Tag tone={state === 'applied' ? 'good' : 'neutral'}>{t(`state.${state}`)}</Tag>
      {state === 'applied' && (
        <Button size="sm" onClick={onTakeBack}>
          {t('takeBack.open')}
        </Button>
      )}
    </li>
  )
}

interface TakeBackDialogProps {
  readonly correction: CorrectionRow
  readonly onClose: () => void
}

function TakeBackDialog({ correction, onClose }: TakeBackDialogProps) {
  const { t } = useTranslation('corrections')
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const takeBack = useMutation({
    mutationFn: () => takeCorrectionBack(correction.id, reason),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries(),
    meta: { silent: true, successMessage: t('takeBack.done') },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('takeBack.title', { id: correction.id })}
      description={t('takeBack.hint', { users: formatInteger(correction.users) })}
      footer={
        <Button
          variant="danger"
          disabled={reason.trim() === ''}
          loading={takeBack.isPending}
          onClick={() => takeBack.mutate()}
        >
          {t('takeBack.submit')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={t('reason.label')} hint={t('reason.hint')} required>
          <Textarea
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {takeBack.error && <Notice tone="bad">{takeBack.error.message}</Notice>}
      </div>
    </Dialog>
  )
}
