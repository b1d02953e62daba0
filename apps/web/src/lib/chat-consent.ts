import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type User } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { accountQuery } from './api/account.ts'
import { request } from './api/api-client.ts'
import { statusQuery } from './api/status.ts'
import { confirm } from './confirm.ts'
import { fieldsOf, listOf, parseJson } from './format/json.ts'

/** The targets of chat links (`chatTargetOf`) to which a user sends their keys. */
function confirmedHosts(setting: string): readonly string[] {
  return listOf(fieldsOf(parseJson(setting)).chat_hosts).filter((host) => typeof host === 'string')
}

/** Decides whether a key may go there without a question; `undefined` until that is known. */
export function useIsConfirmed(target: string | undefined): boolean | undefined {
  const { data: status } = useQuery(statusQuery)
  const { data: user } = useQuery(accountQuery)
  if (status === undefined || user === undefined || target === undefined) return undefined
  return isConfirmed(target, status.chat_trusted_hosts, user)
}

function isConfirmed(target: string, trusted: readonly string[], { setting }: User): boolean {
  return trusted.includes(target) || confirmedHosts(setting).includes(target)
}

async function storeConfirmedHost(target: string, client: QueryClient): Promise<void> {
  await request(calls.accounts.confirmChatHost, { body: { host: target } })
  await client.invalidateQueries({ queryKey: accountQuery.queryKey })
}

/** Returns a function that stores the person's consent to send their keys to a target. */
export function useConfirmHost(): (target: string) => Promise<void> {
  const client = useQueryClient()
  return (target) => storeConfirmedHost(target, client)
}

/** Asks whether a key may go to the target of a chat link, once for each target. */
export function useAskForHost(): (target: string, name: string) => Promise<boolean> {
  const { t } = useTranslation('chat')
  const client = useQueryClient()
  return async (target, name) => {
    const [status, user] = await Promise.all([
      client.fetchQuery(statusQuery),
      client.fetchQuery(accountQuery),
    ])
    if (isConfirmed(target, status.chat_trusted_hosts, user)) return true
    const isSure = await confirm({
      title: t('consent.title', { host: target }),
      description: t(isSite(target) ? 'consent.description' : 'consent.descriptionProgram', {
        host: target,
        name,
      }),
      confirmLabel: t('consent.confirm'),
    })
    if (isSure) await storeConfirmedHost(target, client)
    return isSure
  }
}

/** A site, as opposed to a program on this device. */
export function isSite(target: string): boolean {
  return /^https?:/i.test(target)
}
