import type { Command } from '../../lib/command-line.ts'
import { audit } from './audit.ts'
import { importCommand } from './import.ts'
import { recover } from './recover.ts'

/** The commands beside `serve`, in the order of the help: each is a row, in a file of its own. */
export const commands: readonly Command[] = [audit, importCommand, recover]
