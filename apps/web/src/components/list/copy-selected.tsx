import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/browser/copy.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { type ListSearch, selectedOf } from './list-search.ts'

/** Texts and function for copying chosen rows. */
export interface SelectionCopy<Row> {
  readonly toText: (rows: readonly Row[]) => string | Promise<string>
  /** Label of the button beside the chosen rows: "Copy keys". */
  readonly label: string
  /** Over the table, where none may be chosen: "Copy selected keys". */
  readonly labelSelected: string
  /** Said when none is. */
  readonly needsSelection: string
}

interface CopyRowsProps<Row> {
  readonly rows: readonly Row[]
  readonly copy: SelectionCopy<Row>
}

/** Copies rows that are chosen. */
export function CopyRows<Row>({ rows, copy }: CopyRowsProps<Row>) {
  return <CopyButton withText value={async () => copy.toText(rows)} label={copy.label} />
}

interface CopySelectedProps<Row extends { readonly id: number }> {
  readonly rows: readonly Row[] | undefined
  readonly search: ListSearch
  readonly copy: SelectionCopy<Row>
}

/** Copies the chosen rows of the page, and says so when none is chosen. */
export function CopySelected<Row extends { readonly id: number }>(props: CopySelectedProps<Row>) {
  const { rows = [], search, copy } = props
  const { t } = useTranslation()
  async function copyChosen(): Promise<void> {
    const ids = selectedOf(search)
    const chosen = rows.filter(({ id }) => ids.has(String(id)))
    if (chosen.length === 0) return toast.error(copy.needsSelection)
    try {
      if (await copyText(await copy.toText(chosen))) toast.success(t('copy.done'))
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return <IconButton icon={Copy} label={copy.labelSelected} onClick={() => void copyChosen()} />
}
