import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'

/** Rows and columns of a table by name. */
export interface NameTableProps {
  /** Header of the names, already translated. */
  readonly nameHeader: string
  readonly columns: readonly NameColumn[]
  readonly names: readonly string[]
  readonly onRemove: (name: string) => void
  /** The row that always stays. */
  readonly fixedName?: string
}

/** Column of a table by name. */
export interface NameColumn {
  readonly id: string
  readonly header: string
  /** Classes of its cells. */
  readonly width: string
  readonly cell: (name: string) => ReactNode
}

/** Table of a setting that is a map: a row for each group or model, its values in columns, and its removal. */
export function NameTable(props: NameTableProps): ReactNode {
  const { nameHeader, columns, names, onRemove, fixedName } = props
  const { t } = useTranslation('settings')
  return (
    <div className="edge-shadows overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-muted text-xs">
          <tr>
            <th className="pr-3 pb-1.5 font-medium">{nameHeader}</th>
            {columns.map(({ id, header }) => (
              <th key={id} className="pr-3 pb-1.5 font-medium">
                {header}
              </th>
            ))}
            <th className="w-8 pb-1.5">
              <span className="sr-only">{t('rows.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="align-middle">
              <th
                scope="row"
                className="max-w-40 truncate py-1 pr-3 text-left font-medium font-mono text-xs"
                title={name}
              >
                {name}
              </th>
              {columns.map(({ id, width, cell }) => (
                <td key={id} className={`py-1 pr-3 ${width}`}>
                  {cell(name)}
                </td>
              ))}
              <td className="py-1">
                <IconButton
                  label={t('rows.remove', { name })}
                  icon={Trash2}
                  disabled={name === fixedName}
                  onClick={() => onRemove(name)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Names of rows that are there already, and what becomes of another one. */
export interface NewNameProps {
  readonly names: 'group' | 'model'
  readonly taken: readonly string[]
  readonly onAdd: (name: string) => void
}

/** Field for the name of a new row, which no other row has. */
export function NewName({ names, taken, onAdd }: NewNameProps): ReactNode {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()

  function add(): void {
    const wanted = name.trim()
    if (wanted === '' || taken.includes(wanted)) {
      setProblem(t(wanted === '' ? 'rows.nameMissing' : `rows.nameTaken.${names}`))
      return
    }
    onAdd(wanted)
    setName('')
  }

  return (
    <Field label={t(`rows.new.${names}`)} error={problem}>
      <span className="flex gap-2">
        <Input
          mono
          className="max-w-64"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button icon={Plus} onClick={add}>
          {t(`rows.add.${names}`)}
        </Button>
      </span>
    </Field>
  )
}
