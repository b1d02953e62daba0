import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type ListedUser } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { request } from '../../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatQuota } from '../../../lib/format/format.ts'
import { storeUser, useUser } from '../../../lib/session/session.ts'
import { toast } from '../../../lib/toast.ts'
import { userLists } from '../api.ts'

interface BalanceChange {
  readonly quota: number
  /** The user reads it in their log. */
  readonly reason?: string
}

interface BalanceChangeOptions {
  readonly onDone: (quota: number) => void
  /** The form shows a failure itself. */
  readonly silent?: boolean
}

/** A change in quota units, as a button and a message name it. */
export function useChangeText(): (quota: number) => string {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  return (quota) =>
    t(quota < 0 ? 'quota.deductAmount' : 'quota.addAmount', {
      amount: formatQuota(Math.abs(quota), display),
    })
}

/**
 * Moves the balance by quota units, below zero too. It is sent as a change, so that calls charged meanwhile still count; list and
 * sheet show what the server answers.
 */
export function useBalanceChange(user: ListedUser, { onDone, silent = false }: BalanceChangeOptions) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const self = useUser()
  const textOf = useChangeText()
  return useMutation({
    mutationFn: ({ quota, reason }: BalanceChange) =>
      request(calls.userAdmin.update, { body: { id: user.id, quota_change: quota, reason } }),
    onSuccess: (response, { quota }) => {
      if (self?.id === response.id) storeUser(response)
      userLists.saved(client, response)
      toast.success(t('quota.done', { change: textOf(quota), name: user.username }))
      onDone(quota)
    },
    meta: { silent },
  })
}
