import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type ListedUser, type UserAction } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import { confirm } from '../../lib/confirm.ts'
import { useConfirmedMutation } from '../../lib/confirmed-mutation.ts'
import { manageUser, userLists } from './api.ts'

/** Acts that are asked about first. Banning and letting in again are taken back by one press. */
const confirmedActions = ['promote', 'demote', 'delete'] as const satisfies readonly UserAction[]

/** One act on one user; the row takes on the role and status that the server answered. */
export function useManageUser(user: ListedUser) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const name = user.username
  const act = useMutation({
    mutationFn: (action: UserAction) => manageUser(user.id, action),
    onSuccess: (response) => userLists.show(client, { ...user, ...response }),
  })
  async function start(action: UserAction): Promise<void> {
    const question = confirmedActions.find((one) => one === action)
    if (question && !(await confirm(questionOf(question)))) return
    act.mutate(action)
  }
  const questionOf = (action: (typeof confirmedActions)[number]) => ({
    title: t(`question.${action}.title`, { name }),
    description: t(`question.${action}.description`),
    confirmLabel: t(`question.${action}.confirm`),
    danger: action === 'delete',
  })
  return { start: (action: UserAction) => void start(action), pending: act.isPending }
}

/** Resets the second factor of users who lost their device: they log in with their password alone until they set it up again. */
export function useResetSecondFactor({ id, username: name }: ListedUser): () => void {
  const { t } = useTranslation('users')
  const { run } = useConfirmedMutation(
    {
      title: t('secondFactor.title', { name }),
      description: t('secondFactor.description'),
      confirmLabel: t('secondFactor.confirm'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.secondFactor.reset, { params: { id } }),
      meta: { successMessage: t('secondFactor.done', { name }) },
    },
  )
  return run
}
