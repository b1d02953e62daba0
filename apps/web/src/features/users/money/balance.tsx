import type { ListedUser } from '@tollgate/api'
import { Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { cx } from '../../../lib/cx.ts'
import { presetLabel } from '../../../lib/format/format.ts'
import { AddQuota } from './add-quota.tsx'
import { useBalanceChange } from './use-balance-change.ts'

/** Amount that the form offers, in currency. */
const presetAmount = 25

export interface BalanceProps {
  readonly user: ListedUser
  readonly mayAdd: boolean
}

/** Shows their balance, and the way to add to it. */
export function Balance({ user, mayAdd }: BalanceProps) {
  const { t } = useTranslation('users')
  const [adding, setAdding] = useState(false)
  const display = useMoneyDisplay()
  const preset = Math.round(presetAmount * display.quotaPerUnit)
  return (
    <section
      aria-label={t('field.balance')}
      className="flex flex-col gap-3 rounded-lg border bg-sunken px-4 py-3"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h3 className="text-muted text-xs">{t('field.balance')}</h3>
          <p className="mt-0.5 font-semibold text-2xl">
            <Money quota={user.quota} className={cx(user.quota < 0 && 'text-bad')} />
          </p>
          {user.quota < 0 && <p className="mt-1 text-bad text-xs">{t('quota.owed')}</p>}
        </div>
        {mayAdd && !adding && (
          <span className="flex flex-wrap gap-2">
            <AddPreset user={user} quota={preset} label={presetLabel(preset, display)} />
            <Button onClick={() => setAdding(true)}>{t('quota.otherAmount')}</Button>
          </span>
        )}
      </div>
      {adding && <AddQuota user={user} preset={preset} onClose={() => setAdding(false)} />}
    </section>
  )
}

interface AddPresetProps {
  readonly user: ListedUser
  readonly quota: number
  readonly label: string
}

/**
 * Adds the amount by one press, and takes the last one back by a second one beside it. The first button stays where it was pressed.
 */
function AddPreset({ user, quota, label }: AddPresetProps) {
  const { t } = useTranslation('users')
  const [added, setAdded] = useState(0)
  const { mutate, isPending } = useBalanceChange(user, { onDone: (change) => setAdded(Math.max(change, 0)) })
  return (
    <>
      {added > 0 && (
        <Button
          className="max-sm:order-last"
          icon={Undo2}
          disabled={isPending}
          onClick={() => mutate({ quota: -added })}
        >
          {t('quota.undo')}
        </Button>
      )}
      <Button variant="primary" icon={Plus} loading={isPending} onClick={() => mutate({ quota })}>
        {t('quota.addAmount', { amount: label })}
      </Button>
    </>
  )
}
