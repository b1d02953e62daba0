import { LayoutGrid, Rows3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { usePhone } from '../../lib/browser/media-query.ts'

type ListName = 'drawings' | 'tasks'

/** Returns whether a list of jobs is a grid of tiles, and the control that changes it; remembered by the browser. */
export function useJobView(name: ListName): { readonly isGrid: boolean; readonly toggle: ReactNode } {
  const phone = usePhone()
  const stored = useLocal(`${name}-view`)
  // A phone has no control: drawings are pictures there.
  const isGrid = phone ? name === 'drawings' : stored === 'grid'
  return { isGrid, toggle: <ViewToggle name={name} isGrid={isGrid} /> }
}

function ViewToggle({ name, isGrid }: { readonly name: ListName; readonly isGrid: boolean }) {
  const { t } = useTranslation('tasks')
  return (
    <SegmentedControl
      label={t('view.label')}
      value={isGrid ? 'grid' : 'table'}
      options={[
        { value: 'table', label: <ViewIcon icon={Rows3} name={t('view.table')} /> },
        { value: 'grid', label: <ViewIcon icon={LayoutGrid} name={t('view.grid')} /> },
      ]}
      onChange={(view) => writeLocal(`${name}-view`, view)}
    />
  )
}

function ViewIcon({ icon: Icon, name }: { readonly icon: typeof LayoutGrid; readonly name: string }) {
  return (
    <span title={name}>
      <Icon className="size-4" aria-hidden />
      <span className="sr-only">{name}</span>
    </span>
  )
}
