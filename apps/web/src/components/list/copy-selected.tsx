import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../ui/button.tsx'
import { type ListSearch, selectedOf } from './list-search.ts'

export interface CopySelectedProps<Row extends { readonly id: number }> {
  readonly rows: readonly Row[] | undefined
  readonly search: ListSearch
  readonly toText: (rows: readonly Row[]) => string
  /** What it does: "Copy selected keys". */
  readonly label: string
  /** Said when no row is chosen. */
  readonly needsSelection: string
}

/** Copies the chosen rows of the page, and says so when none is chosen. */
export function CopySelected<Row extends { readonly id: number }>(props: CopySelectedProps<Row>) {
  const { rows = [], search, toText, label, needsSelection } = props
  const { t } = useTranslation()
  async function copy(): Promise<void> {
    const ids = selectedOf(search)
    const chosen = rows.filter(({ id }) => ids.has(String(id)))
    if (chosen.length === 0) return toast.error(needsSelection)
    if (await copyText(toText(chosen))) toast.success(t('copy.done'))
  }
  return <IconButton icon={Copy} label={label} onClick={() => void copy()} />
}
