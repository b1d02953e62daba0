import { useQueryClient } from '@tanstack/react-query'
import { calls, type ListedUser } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../../lib/api/account.ts'
import { request } from '../../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { storeUser } from '../../../lib/session/session.ts'
import { userLists } from '../api.ts'

/** Makes an administrator root in one's own place; the console then shows what is left to oneself. */
export function usePassRoot({ id, username: name }: ListedUser): () => void {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const { run } = useConfirmedMutation(
    {
      title: t('passRoot.title', { name }),
      description: t('passRoot.description', { name }),
      confirmLabel: t('passRoot.confirm'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.userAdmin.passRoot, { params: { id } }),
      meta: { successMessage: t('passRoot.done', { name }) },
      onSuccess: async () => {
        storeUser(await client.fetchQuery({ ...accountQuery, staleTime: 0 }))
        await userLists.refresh(client)
      },
    },
  )
  return run
}
