import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { changeKey, channelApi } from '../../api.ts'
import { KeyTextDialog } from './key-text-dialog.tsx'
import { keyName, type StoredKey } from './stored-key.ts'

interface ReplaceKeyDialogProps {
  readonly channel: Channel
  readonly stored: StoredKey
  readonly onClose: () => void
}

/** Puts a new key into the place of a stored one, and back into service. */
export function ReplaceKeyDialog({ channel, stored, onClose }: ReplaceKeyDialogProps) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [text, setText] = useState('')
  const number = stored.index + 1
  const replace = useMutation({
    mutationFn: () => changeKey(channel.id, { ...keyName(stored), act: 'replace', key: text }),
    onSuccess(changed) {
      channelApi.lists.show(client, changed)
      toast.success(t('key.replaced', { number }))
      onClose()
    },
    meta: { silent: true },
  })
  return (
    <KeyTextDialog
      title={t('key.replaceTitle', { number, hint: stored.hint })}
      label={t('key.newKey')}
      hint={t('key.replaceHint')}
      submitLabel={t('key.replaceConfirm')}
      text={text}
      onText={setText}
      save={replace}
      onClose={onClose}
    />
  )
}
