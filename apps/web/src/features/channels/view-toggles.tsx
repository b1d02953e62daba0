import { ArrowDownWideNarrow, type LucideIcon, TagIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { readLocal, useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { cx } from '../../lib/cx.ts'
import type { ChannelsSearch } from './search.ts'

/** Order of a list whose address names none: channels that need a person come first. */
export const problemsFirst = '-problems'
const byPriority = '-priority'

/** Decides whether the newest come first while the list is sorted by nothing else; remembered by the browser. */
export function useIdSort(): boolean {
  return useLocal('id-sort') === 'true'
}

/** The same outside React. */
export function storedIdSort(): boolean {
  return readLocal('id-sort') === 'true'
}

export interface ViewTogglesProps {
  readonly search: ChannelsSearch
  readonly onChange: (part: ChannelsSearch) => void
}

/** Switches the order by urgency, and the grouping by tag. */
export function ViewToggles({ search, onChange }: ViewTogglesProps) {
  const { t } = useTranslation('channels')
  const byId = useIdSort()
  const problems = search.sort === problemsFirst || (search.sort === undefined && !byId)
  const byTag = search.tag_mode === true
  return (
    <>
      <Toggle
        icon={TriangleAlert}
        label={t('view.problems')}
        on={problems}
        onPress={() => onChange({ sort: problems ? byPriority : byId ? problemsFirst : undefined })}
      />
      <Toggle
        icon={TagIcon}
        label={t('view.byTag')}
        on={byTag}
        onPress={() => onChange({ tag_mode: byTag ? undefined : true })}
      />
    </>
  )
}

/** The newest first, from now on. */
export function IdSortToggle({ search, onChange }: ViewTogglesProps) {
  const { t } = useTranslation('channels')
  const on = useIdSort() && search.sort === undefined
  return (
    <IconButton
      icon={ArrowDownWideNarrow}
      label={t('view.byId')}
      aria-pressed={on}
      className={cx(on && 'bg-accent-soft! text-accent-text!')}
      onClick={() => {
        writeLocal('id-sort', String(!on))
        onChange({ sort: undefined })
      }}
    />
  )
}

interface ToggleProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly on: boolean
  readonly onPress: () => void
}

function Toggle({ icon, label, on, onPress }: ToggleProps) {
  return (
    <Button
      variant="ghost"
      icon={icon}
      aria-pressed={on}
      onClick={onPress}
      className={cx('px-2!', on && 'bg-accent-soft! text-accent-text!')}
    >
      {label}
    </Button>
  )
}
