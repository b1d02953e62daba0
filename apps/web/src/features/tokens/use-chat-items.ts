import { chatTargetOf, type Token } from '@tollgate/api'
import { MessageCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { useAskForHost } from '../../lib/chat-consent.ts'
import { type ChatLink, carriesKey, chatLinksOf, fillChatLink, openChatLink } from '../../lib/chat-links.ts'
import { useServerAddress, useStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { fullKey } from './api.ts'
import { stateOf } from './token-state.ts'

/** The operator's chat clients, opened with this key; without any, whom to ask for some. */
export function useChatItems(token: Token): MenuItems {
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
