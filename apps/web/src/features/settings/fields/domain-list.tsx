import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { problemOf } from '../model/texts.ts'
import { useProblemText } from '../problem-text.ts'
import type { SettingControlProps } from './control-props.ts'

/** Mail domains: added one by one, each checked before it is taken. */
export function DomainList({ setting, value, disabled, onChange }: SettingControlProps) {
  const { t } = useTranslation('settings')
  const problemText = useProblemText()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const domains = value.split(',').filter((domain) => domain !== '')

  function add(): void {
    const domain = typed.trim().toLowerCase()
    if (domain === '' || domain.includes(',')) {
      setProblem(t('domains.one'))
      return
    }
    const wrong = problemOf(setting, domain)
    if (wrong) {
      setProblem(problemText(wrong))
      return
    }
    if (domains.includes(domain)) {
      setProblem(t('domains.duplicate'))
      return
    }
    onChange([...domains, domain].join(','))
    setTyped('')
    setProblem(undefined)
  }
  function addByEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Input
          value={typed}
          disabled={disabled}
          placeholder="example.com"
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
          onKeyDown={addByEnter}
        />
        <Button icon={Plus} disabled={disabled} onClick={add}>
          {t('domains.add')}
        </Button>
      </div>
      {problem && (
        <p role="alert" className="text-bad text-xs">
          {problem}
        </p>
      )}
      <ul className="flex flex-wrap gap-1">
        {domains.map((domain) => (
          <li key={domain} className="flex h-6 items-center rounded-sm bg-hover pl-2 text-xs max-sm:h-10">
            {domain}
            <button
              type="button"
              disabled={disabled}
              aria-label={t('domains.remove', { domain })}
              className="grid size-6 place-items-center text-muted hover:text-text max-sm:size-10"
              onClick={() => onChange(domains.filter((other) => other !== domain).join(','))}
            >
              <X className="size-3" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
