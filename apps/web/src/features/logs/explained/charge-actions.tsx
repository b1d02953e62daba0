import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type LogEntry, logTypes } from '@tollgate/api'
import { HeartHandshake, Link2, Undo2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { exactQuota } from '../../../lib/format/format.ts'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { toast } from '../../../lib/toast.ts'
import { moveGoodwill } from './api.ts'

const LinkDialog = lazyComponent(() => import('./link-dialog.tsx'), 'LinkDialog')

interface ChargeActionsProps {
  readonly entry: LogEntry
  readonly admin: boolean
}

/** Shows a charge to somebody without an account, and credits it of good will. */
export function ChargeActions({ entry, admin }: ChargeActionsProps) {
  const { t } = useTranslation('logs')
  const [isLinking, setLinking] = useState(false)
  const mayCredit = hasPart(useUser(), 'money') && admin
  if (entry.type !== logTypes.consumption) return null
  const charged = entry.quota + (entry.corrected ?? 0)
  return (
    <div className="flex flex-col gap-2">
      {entry.credited !== undefined && (
        <Notice tone="good">
          {t('goodwill.given')} <Money quota={entry.credited} exact single />
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={Link2} onClick={() => setLinking(true)}>
          {t('link.open')}
        </Button>
        {mayCredit && (charged > 0 || entry.credited !== undefined) && (
          <GoodwillButton entry={entry} charged={charged} />
        )}
      </div>
      <Suspense>
        {isLinking && <LinkDialog entry={entry} admin={admin} onClose={() => setLinking(false)} />}
      </Suspense>
    </div>
  )
}

/** One press credits the whole charge; another takes that back. */
function GoodwillButton({ entry, charged }: { readonly entry: LogEntry; readonly charged: number }) {
  const { t } = useTranslation('logs')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const isGiven = entry.credited !== undefined
  const amount = exactQuota(entry.credited ?? charged, display)
  const { mutate, isPending } = useMutation({
    mutationFn: (_done: string) => moveGoodwill(client, entry),
    // The sheet has the new state before this runs: the message is of the press.
    onSuccess: (_, done) => toast.success(done),
  })
  const done = t(isGiven ? 'goodwill.undone' : 'goodwill.done', { amount })
  return (
    <Button
      size="sm"
      icon={isGiven ? Undo2 : HeartHandshake}
      loading={isPending}
      onClick={() => mutate(done)}
    >
      {t(isGiven ? 'goodwill.undo' : 'goodwill.give', { amount })}
    </Button>
  )
}
