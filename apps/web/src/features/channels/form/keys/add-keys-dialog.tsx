import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { keysIn } from '@tollgate/api/channel-types'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { addKeys, channelApi } from '../../api.ts'
import { KeyTextDialog } from './key-text-dialog.tsx'

interface AddKeysDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Adds pasted keys, one on each line, to those that a channel has. */
export function AddKeysDialog({ channel, onClose }: AddKeysDialogProps) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () => addKeys(channel.id, text),
    onSuccess({ channel: changed, added }) {
      channelApi.lists.show(client, changed)
      toast.success(t(added === 0 ? 'key.addedNone' : 'key.added', { count: added }))
      onClose()
    },
    meta: { silent: true },
  })
  const count = keysIn(text, channel.type).length
  return (
    <KeyTextDialog
      title={t('key.addTitle', { name: channel.name })}
      label={t('key.newKeys')}
      hint={t('key.addHint')}
      submitLabel={count > 1 ? t('key.addCount', { count }) : t('key.add')}
      rows={5}
      text={text}
      onText={setText}
      save={add}
      onClose={onClose}
    />
  )
}
