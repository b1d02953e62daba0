import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Incident } from '@tollgate/api'
import { BellOff, Check, Copy, Ellipsis, Megaphone, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/browser/copy.ts'
import { secondsNow } from '../../lib/server-clock.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { acceptIncident, refreshIncidents, wakeIncident } from './incident-api.ts'
import { useIncidentMarkdown } from './use-incident-markdown.ts'

const hour = 3600
const snoozes = { hour, workday: 8 * hour, day: 24 * hour, week: 7 * 24 * hour } as const
const snoozeNames = ['hour', 'workday', 'day', 'week'] as const

/** Kinds that callers meet; the others are the operator's own matter. */
const published: ReadonlySet<string> = new Set(['errors', 'provider', 'account', 'channel', 'unpriced'])

interface IncidentMenuProps {
  readonly incident: Incident
}

/** What can be done to an incident beside mending it: accept it, snooze it, open it again, copy it. */
export function IncidentMenu({ incident }: IncidentMenuProps) {
  const { t } = useTranslation('incidents')
  const client = useQueryClient()
  const settled = { onSettled: () => refreshIncidents(client) }
  const accept = useMutation({
    mutationFn: (seconds: number) =>
      acceptIncident({ id: incident.id, until: seconds === 0 ? 0 : Math.floor(secondsNow()) + seconds }),
    meta: { successMessage: t('accept.done') },
    ...settled,
  })
  const wake = useMutation({
    mutationFn: () => wakeIncident(incident.id),
    meta: { successMessage: t('wake.done') },
    ...settled,
  })
  const markdown = useIncidentMarkdown()
  const copy = async () => {
    if (await copyText(markdown([incident]))) toast.success(t('copy.done'))
  }
  const isOver = incident.state === 'ended'
  const navigate = useNavigate()
  const user = useUser()
  const mayPublish = published.has(incident.kind) && (hasPart(user, 'channels') || hasPart(user, 'settings'))
  return (
    <Menu
      trigger={
        <IconButton
          icon={Ellipsis}
          size="sm"
          variant="ghost"
          label={t('menu')}
          loading={accept.isPending || wake.isPending}
        />
      }
      items={[
        { kind: 'action', icon: Copy, label: t('copy.action'), run: () => void copy() },
        incident.state === 'quiet' && {
          kind: 'action',
          icon: Undo2,
          label: t('wake.action'),
          run: () => wake.mutate(),
        },
        !isOver && { kind: 'action', icon: Check, label: t('accept.action'), run: () => accept.mutate(0) },
        mayPublish && {
          kind: 'action',
          icon: Megaphone,
          label: t('publish'),
          run: () => void navigate({ to: '/incidents', search: { tab: 'status', publish: incident.id } }),
        },
        !isOver && { kind: 'separator' },
        !isOver && { kind: 'heading', label: t('snooze.title') },
        ...(isOver ? [] : snoozeNames).map((name) => ({
          kind: 'action' as const,
          icon: BellOff,
          label: t(`snooze.${name}`),
          run: () => accept.mutate(snoozes[name]),
        })),
      ]}
    />
  )
}
