import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { Menu } from '../../../components/ui/overlay/menu.tsx'
import type { MenuItems } from '../../../components/ui/overlay/menu-items.ts'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { changeKey, channelApi, type KeyAct } from '../api.ts'
import { reasonText } from '../reason-text.ts'
import { momentText, retryText } from '../state-sentence.ts'

type Key = Channel['health']['keys'][number]

const tones = { enabled: 'good', resting: 'warn', 'auto-disabled': 'bad', disabled: 'neutral' } as const

/** The stored keys by their hints, how each is doing, and what can be done with one. */
export function KeyList({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const { keys } = channel.health
  if (keys.length === 0) return null
  return (
    <div className="overflow-hidden rounded border">
      <p className="border-b bg-sunken px-3 py-1.5 text-muted text-xs">
        {t('form.storedKeys', { count: keys.length })}
      </p>
      <ul className="max-h-56 overflow-y-auto">
        {keys.map((key) => (
          <li
            key={key.index}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b px-3 py-1 text-xs last:border-b-0"
          >
            <span className="figures w-6 text-muted">{key.index + 1}</span>
            <span className="font-mono">{key.hint || '***'}</span>
            <StatusDot tone={tones[key.status]} className="ml-auto">
              {t(`key.${key.status}`)}
            </StatusDot>
            {keys.length > 1 && <KeyMenu channelId={channel.id} stored={key} />}
            {key.status !== 'enabled' && <KeyReason stored={key} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Since when and why it is out of service, and when it is tried again. */
function KeyReason({ stored: key }: { readonly stored: Key }) {
  const { t, i18n } = useTranslation('channels')
  const why = key.status === 'disabled' ? t('key.byHand') : reasonText(key, i18n.language)
  return (
    <span className="w-full break-words pb-1 pl-9 text-muted">
      {key.disabled_at > 0 && t('state.sinceTime', { time: momentText(key.disabled_at) })}
      {why || t('state.noReason')}
      {key.retry_at > 0 && ` · ${retryText(key.retry_at, t)}`}
    </span>
  )
}

interface KeyMenuProps {
  readonly channelId: number
  readonly stored: Key
}

function KeyMenu({ channelId, stored: key }: KeyMenuProps) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const number = key.index + 1
  const change = useMutation({
    mutationFn: (act: KeyAct) => changeKey(channelId, { index: key.index, hint: key.hint, act }),
    onSuccess: (channel) => channelApi.lists.show(client, channel),
  })

  async function remove(): Promise<void> {
    const confirmed = await confirm({
      title: t('key.deleteTitle', { number, hint: key.hint }),
      description: t('key.deleteDescription'),
      confirmLabel: t('key.deleteConfirm'),
      danger: true,
    })
    if (confirmed) change.mutate('delete')
  }

  const items: MenuItems = [
    key.status === 'auto-disabled' || key.status === 'disabled'
      ? { kind: 'action', label: t('key.enable'), run: () => change.mutate('enable') }
      : { kind: 'action', label: t('key.disable'), run: () => change.mutate('disable') },
    { kind: 'action', label: t('key.delete'), danger: true, run: () => void remove() },
  ]
  return (
    <Menu
      trigger={
        <IconButton
          icon={Ellipsis}
          size="sm"
          tooltip={false}
          loading={change.isPending}
          label={t('key.more', { number })}
        />
      }
      items={items}
    />
  )
}
