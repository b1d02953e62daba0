import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { confirm } from '../../../lib/confirm.ts'
import { channelApi, updateChannel } from '../api.ts'
import { summaryOf, type TagRow } from '../channel-rows.ts'
import { refreshed, updateTag } from '../many/api.ts'
import { InlineNumber } from './inline-number.tsx'

type Field = 'priority' | 'weight'

/** Priority or weight of one channel. The row then goes where it now belongs. */
export function ChannelNumber({ channel, field }: { readonly channel: Channel; readonly field: Field }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  return (
    <InlineNumber
      label={t(`list.${field}Of`, { name: channel.name })}
      field={field}
      stored={channel[field]}
      onSave={async (value) => {
        channelApi.lists.show(client, await updateChannel({ id: channel.id, [field]: value }))
        await channelApi.lists.refresh(client)
        return true
      }}
    />
  )
}

/** The same of all channels of a tag, shown where they agree; asks before it changes them. */
export function TagNumber({ row, field }: { readonly row: TagRow; readonly field: Field }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { tag, channels } = row
  return (
    <InlineNumber
      label={t(`list.${field}Of`, { name: tag })}
      field={field}
      stored={summaryOf(channels)[field]}
      onSave={async (value) => {
        const confirmed = await confirm({
          title: t(`tag.${field}Title`, { value, count: channels.length }),
          description: t('tag.numberDescription', { tag }),
          confirmLabel: t('tag.numberConfirm', { count: channels.length }),
        })
        if (confirmed) await refreshed(client, updateTag({ tag, [field]: value }))
        return confirmed
      }}
    />
  )
}
