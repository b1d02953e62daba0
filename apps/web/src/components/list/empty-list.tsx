import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'

export interface EmptyListProps {
  readonly page: number
  /** Set while a filter or a search narrows the list. */
  readonly narrowed: boolean
  /** Explanation of an empty result, where the page has one. */
  readonly hint?: ReactNode
  /** Content of a list that has nothing at all yet. */
  readonly first: ReactNode
  readonly onFirstPage: () => void
  readonly onClear: () => void
}

/** No rows: past the end, nothing that matches, or nothing there yet. */
export function EmptyList({ page, narrowed, hint, first, onFirstPage, onClear }: EmptyListProps) {
  const { t } = useTranslation()
  if (page > 1)
    return (
      <EmptyState
        icon={SearchX}
        title={t('list.pastEnd')}
        action={<Button onClick={onFirstPage}>{t('list.firstPage')}</Button>}
      />
    )
  if (narrowed)
    return (
      <EmptyState
        icon={SearchX}
        title={t('list.noMatch')}
        action={<Button onClick={onClear}>{t('list.clearFilters')}</Button>}
      >
        {hint ?? t('list.noMatchHint')}
      </EmptyState>
    )
  return first
}
