import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Ellipsis, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../../components/ui/button.tsx'
import { Menu } from '../../../../components/ui/overlay/menu.tsx'
import type { MenuItems } from '../../../../components/ui/overlay/menu-items.ts'
import { confirm } from '../../../../lib/confirm.ts'
import { formatDuration } from '../../../../lib/format/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { changeKey, channelApi, type KeyAct, refreshChannel, testChannel } from '../../api.ts'
import { ReplaceKeyDialog } from './replace-key-dialog.tsx'
import { keyName, type StoredKey } from './stored-key.ts'

interface KeyActionsProps {
  readonly channel: Channel
  readonly stored: StoredKey
  /** The channel has no other key: switching it off is switching the channel off. */
  readonly isAlone: boolean
}

/**
 * Tests one stored key, and in a menu replaces, switches or deletes it. What takes a switch-off back stands in the row: a message would
 * cover the form's sections on a phone.
 */
export function KeyActions({ channel, stored: key, isAlone }: KeyActionsProps) {
  const { t } = useTranslation(['channels', 'common'])
  const client = useQueryClient()
  const [replacing, setReplacing] = useState(false)
  const number = key.index + 1
  const test = useKeyTest(channel.id, key)
  const change = useMutation({
    mutationFn: (act: KeyAct) => changeKey(channel.id, { ...keyName(key), act }),
    onSuccess: (changed) => channelApi.lists.show(client, changed),
  })
  const isJustDisabled = change.isSuccess && change.variables === 'disable' && key.status === 'disabled'

  async function remove(): Promise<void> {
    const confirmed = await confirm({
      title: t('key.deleteTitle', { number, hint: key.hint }),
      description: t('key.deleteDescription'),
      confirmLabel: t('key.deleteConfirm'),
      danger: true,
    })
    if (confirmed) change.mutate('delete')
  }

  const isOut = key.status === 'auto-disabled' || key.status === 'disabled'
  const items: MenuItems = [
    { kind: 'action', label: t('key.replace'), run: () => setReplacing(true) },
    isOut && { kind: 'action', label: t('key.enable'), run: () => change.mutate('enable') },
    !(isOut || isAlone) && { kind: 'action', label: t('key.disable'), run: () => change.mutate('disable') },
    !isAlone && { kind: 'action', label: t('key.delete'), danger: true, run: () => void remove() },
  ]
  return (
    <span className="inline-flex items-center">
      <span role="status" className="sr-only">
        {isJustDisabled && t('key.disabledNow', { number, hint: key.hint })}
      </span>
      {isJustDisabled && (
        <Button size="sm" variant="ghost" onClick={() => change.mutate('enable')}>
          {t('common:toast.undo')}
        </Button>
      )}
      {key.id !== undefined && (
        <IconButton
          icon={Zap}
          size="sm"
          label={t('key.test', { number })}
          loading={test.isPending}
          onClick={() => test.mutate(key.id)}
        />
      )}
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
      {replacing && <ReplaceKeyDialog channel={channel} stored={key} onClose={() => setReplacing(false)} />}
    </span>
  )
}

/** Sends a test with one key, and says how it went; the row then has what is known of the key. */
function useKeyTest(channelId: number, { index, hint }: StoredKey) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const name = t('key.name', { number: index + 1, hint })
  return useMutation({
    mutationFn: (keyId: string | undefined) => testChannel(channelId, undefined, keyId),
    onSuccess: (seconds) =>
      toast.success(t('toast.testPassed', { name, time: formatDuration(seconds * 1000) })),
    onError: (error) => toast.error(t('toast.testFailed', { name, message: error.message })),
    onSettled: () => refreshChannel(client, channelId),
    meta: { silent: true },
  })
}
