import { expect, it } from 'bun:test'
import { availableCores } from './available-cores.ts'

const cores = (files: Readonly<Record<string, string>>) => availableCores(16, (path) => files[path])

it.each<[string, Readonly<Record<string, string>>, number]>([
  ['no control group', {}, 16],
  ['no quota', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, 16],
  ['a container', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '200000 100000\n' }, 2],
  ['a part of a core', { '/sys/fs/cgroup/cpu.max': '250000 100000\n' }, 3],
  ['less than one core', { '/sys/fs/cgroup/cpu.max': '20000 100000\n' }, 1],
  ['more than there are', { '/sys/fs/cgroup/cpu.max': '6400000 100000\n' }, 16],
  [
    'a unit within a slice that has less',
    {
      '/proc/self/cgroup': '0::/gateways.slice/tollgate.service\n',
      '/sys/fs/cgroup/gateways.slice/tollgate.service/cpu.max': '800000 100000\n',
      '/sys/fs/cgroup/gateways.slice/cpu.max': '400000 100000\n',
    },
    4,
  ],
  [
    'version 1',
    {
      '/proc/self/cgroup': '4:cpu,cpuacct:/docker/a\n0::/\n',
      '/sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us': '300000\n',
      '/sys/fs/cgroup/cpu/docker/a/cpu.cfs_period_us': '100000\n',
    },
    3,
  ],
  [
    'version 1 without a quota',
    { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    16,
  ],
])('counts the cores of %s', (_, files, expected) => {
  expect(cores(files)).toBe(expected)
})
