import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChargeLinkRow, LogEntry } from '@tollgate/api'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { CopyButton, CopyText } from '../../../components/ui/copy.tsx'
import { RadioGroup } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { formatDateTime, formatDay } from '../../../lib/format/format.ts'
import { type LinkChoice, linksQuery, makeLink, revokeLink } from './api.ts'

interface LinkDialogProps {
  readonly entry: LogEntry
  readonly admin: boolean
  readonly onClose: () => void
}

const subjects = ['charge', 'day'] as const
const spans = ['1', '7', '30', '90'] as const

/** Makes a link that shows a charge, or those of its day, to whoever has it; and revokes those that open. */
export function LinkDialog({ entry, admin, onClose }: LinkDialogProps) {
  const { t } = useTranslation('logs')
  const client = useQueryClient()
  const [subject, setSubject] = useState<LinkChoice['subject']>('charge')
  const [span, setSpan] = useState<(typeof spans)[number]>('7')
  const { mutate, isPending, data, error, reset } = useMutation({
    mutationFn: () => makeLink(client, admin, entry, { subject, days: Number(span) }),
    meta: { silent: true },
  })
  const choose = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      reset()
      set(value)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('link.title')}
      description={t('link.description')}
      footer={
        data ? (
          <CopyButton value={addressOf(data)} label={t('link.copy')} withText size="md" variant="primary" />
        ) : (
          <Button variant="primary" loading={isPending} onClick={() => mutate()}>
            {t('link.make')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('link.subject')}>
          <RadioGroup
            value={subject}
            onValueChange={choose(setSubject)}
            options={subjects.map((value) => ({
              value,
              label: t(`link.of.${value}`, { day: formatDay(new Date(entry.created_at * 1000)) }),
            }))}
          />
        </Field>
        <Field label={t('link.expires')}>
          <RadioGroup
            className="flex-row! flex-wrap"
            value={span}
            onValueChange={choose(setSpan)}
            options={spans.map((value) => ({ value, label: t('link.days', { count: Number(value) }) }))}
          />
        </Field>
        {data && (
          <p className="wrap-anywhere rounded border bg-sunken px-3 py-2 font-mono text-xs">
            {addressOf(data)}
          </p>
        )}
        {error && <Notice tone="bad">{error.message}</Notice>}
        <OpenLinks entry={entry} admin={admin} />
      </div>
    </Dialog>
  )
}

function addressOf({ path }: ChargeLinkRow): string {
  return `${window.location.origin}${path}`
}

function OpenLinks({ entry, admin }: Omit<LinkDialogProps, 'onClose'>) {
  const { t } = useTranslation('logs')
  const client = useQueryClient()
  const { data: links = [] } = useQuery(linksQuery(admin, entry.user_id))
  const revoke = useMutation({
    mutationFn: (id: number) => revokeLink(client, admin, id),
    meta: { successMessage: t('link.revoked') },
  })
  if (links.length === 0) return null
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold text-sm">{t('link.list')}</h3>
      <ul className="flex flex-col divide-y">
        {links.map((link) => (
          <li key={link.id} className="flex items-center gap-2 py-1 text-sm">
            <span className="min-w-0 flex-1">
              {link.log_id === 0
                ? t('link.of.day', { day: formatDay(new Date(link.starts_at * 1000)) })
                : t('link.chargeAt', { time: formatDateTime(link.starts_at) })}
              <span className="block text-muted text-xs">
                {t('link.until', { time: formatDateTime(link.expires_at) })}
              </span>
            </span>
            <CopyText value={addressOf(link)}>{t('link.copy')}</CopyText>
            <IconButton
              icon={Trash2}
              size="sm"
              label={t('link.revoke')}
              loading={revoke.isPending && revoke.variables === link.id}
              onClick={() => revoke.mutate(link.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
