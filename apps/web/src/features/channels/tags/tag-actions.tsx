import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil, Power, PowerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStops } from '../../../components/stops/index.ts'
import { IconButton } from '../../../components/ui/button.tsx'
import { toast } from '../../../lib/toast.ts'
import type { TagRow } from '../channel-rows.ts'
import { refreshed, switchTag } from '../many/api.ts'

export interface TagActionsProps {
  readonly row: TagRow
  readonly onEdit: (row: TagRow) => void
}

/** Switches all channels of a tag on or off, and edits them together. */
export function TagActions({ row, onEdit }: TagActionsProps) {
  const { t } = useTranslation('channels')
  const { tag } = row
  const client = useQueryClient()
  const { ask } = useStops()
  const change = useMutation({
    mutationFn: (on: boolean) => refreshed(client, switchTag(tag, on)),
    onSuccess: (count, on) => toast.success(t(on ? 'bulk.enableDone' : 'bulk.disableDone', { count })),
  })
  async function disable(): Promise<void> {
    const question = { title: t('stops.disableTagTitle', { tag }), confirmLabel: t('stops.disable') }
    if (await ask({ ids: [], tag }, question)) change.mutate(false)
  }
  return (
    <span className="inline-flex items-center gap-0.5">
      <IconButton
        icon={Power}
        size="sm"
        label={t('tag.enableAll', { tag })}
        disabled={change.isPending}
        onClick={() => change.mutate(true)}
      />
      <IconButton
        icon={PowerOff}
        size="sm"
        label={t('tag.disableAll', { tag })}
        disabled={change.isPending}
        onClick={() => void disable()}
      />
      <IconButton icon={Pencil} size="sm" label={t('tag.edit', { tag })} onClick={() => onEdit(row)} />
    </span>
  )
}
