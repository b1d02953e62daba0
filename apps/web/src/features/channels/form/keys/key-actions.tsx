import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Ellipsis, Zap } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type StopQuestion, useStops } from '../../../../components/stops/index.ts'
import { Button, IconButton } from '../../../../components/ui/button.tsx'
import { Menu } from '../../../../components/ui/overlay/menu.tsx'
import type { MenuItems } from '../../../../components/ui/overlay/menu-items.ts'
import { formatDuration } from '../../../../lib/format/format.ts'
import { lazyComponent } from '../../../../lib/lazy-component.ts'
import { toast } from '../../../../lib/toast.ts'
import { changeKey, channelApi, type KeyAct, refreshChannel, testChannel } from '../../api.ts'
import { ReplaceKeyDialog } from './replace-key-dialog.tsx'
import { keyName, type StoredKey } from './stored-key.ts'

const KeyScheduleDialog = lazyComponent(
  () => import('../../switching/schedule/schedule-dialog.tsx'),
  'KeyScheduleDialog',
)

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
  const { ask } = useStops()
  const client = useQueryClient()
  const [replacing, setReplacing] = useState(false)
  const [planning, setPlanning] = useState(false)
  const number = key.index + 1
  const test = useKeyTest(channel.id, key)
  const change = useMutation({
    mutationFn: (act: KeyAct) => changeKey(channel.id, { ...keyName(key), act }),
    onSuccess: (changed) => channelApi.lists.show(client, changed),
  })
  const isJustDisabled = change.isSuccess && change.variables === 'disable' && key.status === 'disabled'

  async function remove(): Promise<void> {
    const question = {
      title: t('key.deleteTitle', { number, hint: key.hint }),
      confirmLabel: t('key.deleteConfirm'),
      warning: t('key.deleteDescription'),
      always: true,
    }
    if (await askAbout(question)) change.mutate('delete')
  }
  async function disable(): Promise<void> {
    const question = {
      title: t('key.disableTitle', { number, hint: key.hint }),
      confirmLabel: t('key.disable'),
    }
    if (await askAbout(question)) change.mutate('disable')
  }
  /** Says what the key leaves behind, where calls of the last hour or tasks may have used it. */
  function askAbout(question: StopQuestion): Promise<boolean> {
    const { id } = key
    // A node of the version before names no keys.
    const intended = id === undefined ? { ids: [] } : { ids: [channel.id], key_id: id }
    return ask(intended, { ...question, kind: 'key' })
  }

  const isOut = key.status === 'auto-disabled' || key.status === 'disabled'
  const items: MenuItems = [
    { kind: 'action', label: t('key.replace'), run: () => setReplacing(true) },
    isOut && { kind: 'action', label: t('key.enable'), run: () => change.mutate('enable') },
    !(isOut || isAlone) && { kind: 'action', label: t('key.disable'), run: () => void disable() },
    !isAlone &&
      key.id !== undefined && { kind: 'action', label: t('schedule.open'), run: () => setPlanning(true) },
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
      <Suspense>
        {planning && key.id !== undefined && (
          <KeyScheduleDialog
            channelId={channel.id}
            stored={{ ...key, id: key.id }}
            onClose={() => setPlanning(false)}
          />
        )}
      </Suspense>
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
