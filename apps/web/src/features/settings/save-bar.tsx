import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/tag.tsx'

export interface SaveBarProps {
  /** Changed settings. */
  readonly count: number
  readonly saving: boolean
  readonly failure: Error | undefined
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Stays at the bottom while the page scrolls: how much is unsaved, and what to do about it. */
export function SaveBar({ count, saving, failure, onSave, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings')
  return (
    <div className="sticky bottom-0 z-10 -mx-5 mt-auto -mb-4 flex flex-col gap-2 border-t bg-surface px-5 py-3 max-sm:-mx-4 max-sm:px-4">
      {failure && count > 0 && <Notice tone="bad">{failure.message}</Notice>}
      <div className="flex max-w-[760px] items-center gap-2">
        <p className="min-w-0 flex-1 text-muted text-sm" role="status">
          {count === 0 ? t('changes.none') : t('changes.count', { count })}
        </p>
        {count > 0 && (
          <Button disabled={saving} onClick={onDiscard}>
            {t('changes.discard')}
          </Button>
        )}
        <Button variant="primary" loading={saving} onClick={onSave}>
          {t('changes.save')}
        </Button>
      </div>
    </div>
  )
}
