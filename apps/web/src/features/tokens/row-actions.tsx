import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Token, tokenStatuses } from '@tollgate/api'
import {
  Code,
  Copy,
  Ellipsis,
  MessageCircle,
  Pencil,
  Power,
  PowerOff,
  ScrollText,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { chatLinksOf, fillChatLink, openChatLink } from '../../lib/chat-links.ts'
import { confirm } from '../../lib/confirm.ts'
import { copyText } from '../../lib/copy.ts'
import { useServerAddress, useStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { deleteToken, setTokenStatus, tokenLists } from './api.ts'
import { maskedKey, shownKey } from './keys.ts'
import { stateOf } from './token-state.ts'

export interface RowActionsProps {
  readonly token: Token
  /** Opens the examples of how to call with the key. */
  readonly onShowUse: (token: Token) => void
}

/** Switch on or off, and the rest in a menu with the destructive last. */
export function RowActions({ token, onShowUse }: RowActionsProps) {
  const { t } = useTranslation('tokens')
  const phone = usePhone()
  const toggle = useToggleToken(token)
  const enabled = stateOf(token) === 'enabled'
  return (
    <span className="inline-flex items-center gap-0.5 max-sm:w-full">
      {phone && (
        <span className="mr-auto inline-flex items-center">
          <span className="font-mono text-xs">{maskedKey(token)}</span>
          <CopyButton value={shownKey(token)} label={t('key.copyOf', { name: token.name })} />
        </span>
      )}
      <IconButton
        icon={enabled ? PowerOff : Power}
        size="sm"
        label={t(enabled ? 'action.disable' : 'action.enable', { name: token.name })}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
      />
      <Menu
        trigger={
          <IconButton
            icon={Ellipsis}
            size="sm"
            label={t('action.more', { name: token.name })}
            tooltip={false}
          />
        }
        items={useMenuItems({ token, onShowUse })}
      />
    </span>
  )
}

function useMenuItems({ token, onShowUse }: RowActionsProps): MenuItems {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  const remove = useDeleteToken(token)
  const chats = useChatItems(token)
  async function copy(): Promise<void> {
    if (await copyText(shownKey(token))) toast.success(t('toast.copied'))
  }
  return [
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
      run: () => void navigate({ to: '/log', search: { token: token.name, range: '30d' } }),
    },
    ...chats,
    { kind: 'separator' },
    { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
  ]
}

/** The operator's chat clients, opened with this key. */
function useChatItems(token: Token): MenuItems {
  const { t } = useTranslation('tokens')
  const links = chatLinksOf(useStatus()?.chats)
  const serverAddress = useServerAddress()
  function open(template: string): void {
    const link = fillChatLink(template, { key: shownKey(token), serverAddress })
    if (link) openChatLink(link)
    else toast.error(t('chat.invalid'))
  }
  if (links.length === 0) return []
  return [
    { kind: 'separator' },
    { kind: 'heading', label: t('chat.open') },
    ...links.map(({ name, template }) => ({
      kind: 'action' as const,
      icon: MessageCircle,
      label: name,
      disabled: stateOf(token) !== 'enabled',
      run: () => open(template),
    })),
  ]
}

/** Switches a key on or off; the row shows what the server answered. */
function useToggleToken(token: Token) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const enabled = stateOf(token) === 'enabled'
  return useMutation({
    mutationFn: () => setTokenStatus(token.id, enabled ? tokenStatuses.disabled : tokenStatuses.enabled),
    onSuccess: (answer) => tokenLists.show(client, answer),
    meta: { successMessage: t(enabled ? 'toast.disabled' : 'toast.enabled', { name: token.name }) },
  })
}

/** Asks, and deletes the key. */
function useDeleteToken({ id, name }: Token): () => Promise<void> {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteToken(id),
    onSuccess: async () => {
      tokenLists.drop(client, [id])
      await tokenLists.refresh(client)
    },
    meta: { successMessage: t('toast.deleted', { name }) },
  })
  return async () => {
    const sure = await confirm({
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
}
