import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { chatTargetOf, type Token, tokenStatuses } from '@tollgate/api'
import { Code, Copy, MessageCircle, Pencil, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ResourceRow } from '../../components/list/index.ts'
import type { MenuItems } from '../../components/ui/overlay/menu-items.ts'
import { useServerAddress, useStatus } from '../../lib/api/status.ts'
import { copyText } from '../../lib/browser/copy.ts'
import { useAskForHost } from '../../lib/chat-consent.ts'
import {
  type ChatLink,
  carriesKey,
  chatLinksOf,
  fillChatLink,
  openChatLink,
} from '../../lib/session/chat-links.ts'
import { toast } from '../../lib/toast.ts'
import { fullKey, tokenApi } from './api.ts'
import { CardFacts } from './cells.tsx'
import { stateOf } from './token-state.ts'

export interface RowActionsProps {
  readonly token: Token
  /** Opens what programs need to use the key. */
  readonly onShowUse: (token: Token) => void
}

/** Says that a key was switched off, with the way back. */
function useEnableAgain({ id }: Token): (done: string) => void {
  const { t } = useTranslation()
  const client = useQueryClient()
  const enable = useMutation({
    mutationFn: () => tokenApi.setStatus(id, tokenStatuses.enabled),
    onSuccess: (row) => tokenApi.lists.show(client, row),
  })
  return (done) => toast.undo(done, t('toast.undo'), () => enable.mutate())
}

/** Switch on or off, and the rest in a menu. */
export function RowActions({ token, onShowUse }: RowActionsProps) {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  const isEnabled = stateOf(token) === 'enabled'
  async function copy(): Promise<void> {
    const key = await fullKey(token).catch((error: Error) => toast.error(error.message))
    if (key && (await copyText(key))) toast.success(t('toast.copied'))
  }
  return (
    <ResourceRow
      api={tokenApi}
      texts="tokens"
      row={token}
      isEnabled={isEnabled}
      nextStatus={isEnabled ? tokenStatuses.disabled : tokenStatuses.enabled}
      stops={{ offerUndo: useEnableAgain(token) }}
      onCard={<CardFacts token={token} />}
      items={[
        { kind: 'action', icon: Copy, label: t('key.copy'), run: () => void copy() },
        { kind: 'action', icon: Code, label: t('action.use'), run: () => onShowUse(token) },
        {
          kind: 'action',
          icon: Pencil,
          label: t('action.edit'),
          run: () => void navigate({ to: '/token/edit/$id', params: { id: String(token.id) }, search: true }),
        },
        {
          kind: 'action',
          icon: ScrollText,
          label: t('action.usage'),
          run: () => void navigate({ to: '/log', search: { key: token.id, range: '30d' } }),
        },
        { kind: 'separator' },
        ...useChatItems(token),
      ]}
    />
  )
}

/** The operator's chat clients, opened with this key; without any, whom to ask for some. */
function useChatItems(token: Token): MenuItems {
  const { t } = useTranslation('tokens')
  const links = chatLinksOf(useStatus()?.chats)
  const serverAddress = useServerAddress()
  const askForHost = useAskForHost()
  async function open({ name, template }: ChatLink): Promise<void> {
    const target = chatTargetOf(template)
    if (target === undefined) return toast.error(t('chat.invalid'))
    if (carriesKey(template) && !(await askForHost(target, name))) return
    const link = fillChatLink(template, { key: await fullKey(token), serverAddress })
    if (link) openChatLink(link)
    else toast.error(t('chat.invalid'))
  }
  const item = (label: string, run: () => void) =>
    ({ kind: 'action', icon: MessageCircle, label, disabled: stateOf(token) !== 'enabled', run }) as const
  if (links.length === 0) return [item(t('chat.open'), () => toast.error(t('chat.none')))]
  return [
    { kind: 'heading', label: t('chat.open') },
    ...links.map((link) =>
      item(link.name, () => void open(link).catch((error: Error) => toast.error(error.message))),
    ),
  ]
}
