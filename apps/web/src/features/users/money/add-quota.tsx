import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type ListedUser, maxBalance } from '@tollgate/api'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { MoneyChange } from '../../../components/ui/money.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatQuota } from '../../../lib/format/format.ts'
import { storeUser, useUser } from '../../../lib/session/session.ts'
import { userLists } from '../api.ts'
import { presetTyped, typedQuota } from './amount.ts'

interface AddQuotaProps {
  readonly user: ListedUser
  readonly onClose: () => void
}

/**
 * An amount to add or, below zero, to take, and what it makes of the balance; one press applies it. It is sent as a change, so
 * that calls charged meanwhile still count. No form of its own: it stands in that of the sheet.
 */
export function AddQuota({ user, onClose }: AddQuotaProps) {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  const [amount, setAmount] = useState<number | undefined>(() => presetTyped(display))
  const [tried, setTried] = useState(false)
  const quota = typedQuota(amount, display)
  const after = user.quota + (quota ?? 0)
  const problem =
    quota === undefined || quota === 0
      ? t('quota.noNumber')
      : Math.abs(after) > maxBalance && t('quota.tooMuch')
  const text = t((quota ?? 0) < 0 ? 'quota.deductAmount' : 'quota.addAmount', {
    amount: formatQuota(Math.abs(quota ?? 0), display),
  })
  const { mutate, isPending, error } = useChange(user, text, onClose)

  function apply(): void {
    setTried(true)
    if (quota !== undefined && !problem) mutate(quota)
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') apply()
    else onClose()
  }

  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <Field
        label={t(display.inCurrency ? 'quota.amount' : 'quota.units')}
        hint={t('quota.negativeHint')}
        error={(tried && problem) || error?.message}
      >
        <NumberInput
          value={amount}
          onValueChange={setAmount}
          decimal={display.inCurrency}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={press}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex gap-2 text-sm" aria-live="polite">
          <span className="text-muted">{t('field.balance')}</span>
          <MoneyChange from={user.quota} to={after} />
        </p>
        <span className="flex gap-2">
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button variant="primary" loading={isPending} onClick={apply}>
            {text}
          </Button>
        </span>
      </div>
    </div>
  )
}

/** Moves the balance; list and sheet show what the server answers. */
function useChange(user: ListedUser, text: string, onDone: () => void) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const self = useUser()
  return useMutation({
    mutationFn: (quota: number) =>
      request(calls.userAdmin.update, { body: { id: user.id, quota_change: quota } }),
    onSuccess: (response) => {
      if (self?.id === response.id) storeUser(response)
      userLists.saved(client, response)
      onDone()
    },
    meta: { successMessage: t('quota.done', { change: text, name: user.username }), silent: true },
  })
}
