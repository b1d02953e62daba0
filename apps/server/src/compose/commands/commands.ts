import type { Command } from '../../lib/command-line.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { erase } from './erase.ts'
import { exportCommand } from './export.ts'
import { health } from './health.ts'
import { importCommand } from './import.ts'
import { move } from './move.ts'
import { recover } from './recover.ts'
import { repair } from './repair.ts'
import { resetRoot } from './reset-root.ts'
import { resetSecret } from './reset-secret.ts'
import { restore } from './restore.ts'
import { rotateSecret } from './rotate-secret.ts'
import { shrink } from './shrink.ts'
import { undelete } from './undelete.ts'
import { unlock } from './unlock.ts'

/** The commands beside `serve`, in the order of the help: each is a row, in a file of its own. */
export const commands: readonly Command[] = [
  doctor,
  health,
  audit,
  backup,
  restore,
  move,
  repair,
  importCommand,
  exportCommand,
  recover,
  shrink,
  resetRoot,
  unlock,
  undelete,
  erase,
  rotateSecret,
  resetSecret,
]
