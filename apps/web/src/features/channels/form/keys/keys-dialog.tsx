import { useMutation } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { CopyButton } from '../../../../components/ui/copy.tsx'
import { Dialog } from '../../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../../components/ui/tag.tsx'
import { revealKeys } from '../../api.ts'

export interface KeysDialogProps {
  readonly channel: Pick<Channel, 'id' | 'name'>
  readonly onClose: () => void
}

/** The stored keys themselves, for the super administrator; asked for by a second press, because it is written down. */
export function KeysDialog({ channel, onClose }: KeysDialogProps) {
  const { t } = useTranslation('channels')
  const reveal = useMutation({
    mutationFn: () => revealKeys(channel.id),
    // Not to be found in memory once the dialog is closed.
    gcTime: 0,
    meta: { silent: true },
  })
  const keys = reveal.data
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reveal.title', { name: channel.name })}
      description={t('reveal.description')}
      footer={
        keys ? (
          <CopyButton withText size="md" value={keys.join('\n')} label={t('reveal.copyAll')} />
        ) : (
          <Button variant="primary" icon={Eye} loading={reveal.isPending} onClick={() => reveal.mutate()}>
            {t('reveal.show')}
          </Button>
        )
      }
    >
      {reveal.error && <Notice tone="bad">{reveal.error.message}</Notice>}
      {keys && (
        <ol className="flex flex-col">
          {keys.map((key, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a key is its place in the list, and two may be the same
            <li key={index} className="flex items-center gap-2 border-b py-1 last:border-b-0">
              <span className="figures w-6 shrink-0 text-muted text-xs">{index + 1}</span>
              <code className="min-w-0 flex-1 wrap-anywhere text-xs">{key}</code>
              <CopyButton value={key} label={t('reveal.copy', { number: index + 1 })} />
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}
