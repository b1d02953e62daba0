import { useNavigate } from '@tanstack/react-router'
import { type Token, tokenStatuses } from '@tollgate/api'
import { Code, Copy, Pencil, ScrollText, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RowControls, useRowDeletion, useRowSwitch } from '../../components/list/index.ts'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { copyText } from '../../lib/copy.ts'
import { toast } from '../../lib/toast.ts'
import { deleteToken, fullKey, setTokenStatus, tokenLists } from './api.ts'
import { CardFacts } from './cells/card-facts.tsx'
import { stateOf } from './token-state.ts'
import { useChatItems } from './use-chat-items.ts'

export interface RowActionsProps {
  readonly token: Token
  /** Opens what programs need to use the key. */
  readonly onShowUse: (token: Token) => void
}

/** Switch on or off, and the rest in a menu. */
export function RowActions({ token, onShowUse }: RowActionsProps) {
  const { t } = useTranslation('tokens')
  return (
    <RowControls
      onCard={<CardFacts token={token} />}
      onOff={useSwitch(token)}
      more={t('action.more', { name: token.name })}
      items={useMenuItems({ token, onShowUse })}
    />
  )
}

function useSwitch(token: Token) {
  const { t } = useTranslation('tokens')
  const { id, name } = token
  const on = stateOf(token) === 'enabled'
  const { enabled, disabled } = tokenStatuses
  return useRowSwitch({
    enabled: on,
    label: t(on ? 'action.disable' : 'action.enable', { name }),
    change: () => setTokenStatus(id, on ? disabled : enabled),
    lists: tokenLists,
    done: t(on ? 'toast.disabled' : 'toast.enabled', { name }),
  })
}

function useMenuItems({ token, onShowUse }: RowActionsProps): MenuItems {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  const remove = useDeletion(token)
  const chats = useChatItems(token)
  async function copy(): Promise<void> {
    const key = await fullKey(token).catch((error: Error) => toast.error(error.message))
    if (key && (await copyText(key))) toast.success(t('toast.copied'))
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
    { kind: 'separator' },
    ...chats,
    { kind: 'separator' },
    { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
  ]
}

function useDeletion({ id, name }: Token): () => Promise<void> {
  const { t } = useTranslation('tokens')
  return useRowDeletion({
    id,
    remove: deleteToken,
    lists: tokenLists,
    question: {
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
    },
    done: t('toast.deleted', { name }),
  })
}
