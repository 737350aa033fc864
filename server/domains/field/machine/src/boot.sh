# Boots systemd as process 1 of new namespaces, on an overlay of this machine's files:
# boot.sh STEP FOLDER NAME NETWORK LACKS. FOLDER/shared is /mnt inside. NETWORK is `shared`, this machine's, or `own`,
# with nothing in it yet. LACKS is empty, or a capability that process 1 does not have, such as `net_raw`.
set -eu
step=$1 folder=$2 name=$3 network=$4 lacks=$5
disk=$folder/disk root=$folder/disk/root

# Control groups of our own, in each hierarchy: only the child goes there, for a group with limits holds no process.
groups() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    echo "/sys/fs/cgroup/$name"
    return
  fi
  sed 's/^[0-9]*:\(name=\)\{0,1\}//' /proc/self/cgroup | while IFS=: read -r controllers own; do
    case $controllers in
      cpuset) continue ;; # It takes no process before it has a processor.
      '') at=/sys/fs/cgroup/unified ;;
      *) at=/sys/fs/cgroup/$controllers ;;
    esac
    [ -d "$at" ] && echo "$at${own%/}/$name"
  done
}

case $step in
  start)
    # Of tests that were killed: nobody else takes their control groups away.
    groups | while read -r group; do
      for old in "${group%/*}"/jarvis-machine-*; do
        pid=${old##*/jarvis-machine-}
        [ ! -d "$old" ] || [ -e "/proc/${pid%%-*}" ] || find "$old" -depth -type d -exec rmdir {} \; || true
      done
    done
    groups | tee "$folder/groups" | while read -r group; do mkdir "$group"; done
    own=
    [ "$network" = shared ] || own=--net
    exec unshare --mount --uts --ipc --pid $own --fork --kill-child sh "$0" enter "$folder" "$name" "$network" "$lacks"
    ;;
  enter)
    while read -r group; do echo 0 >"$group/cgroup.procs"; done <"$folder/groups"
    exec unshare --cgroup sh "$0" boot "$folder" "$name" "$network" "$lacks"
    ;;
esac

mount -t tmpfs -o mode=0755 none "$disk"
mkdir "$disk/upper" "$disk/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$disk/upper,workdir=$disk/work" overlay "$root"
mount --bind "$folder/shared" "$root/mnt"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
# Until it is up, for process 1 raises limits of the whole kernel where it may.
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro,nosuid,nodev,noexec "$root/proc/sys"
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
mount -t tmpfs -o mode=0755,nosuid none "$root/dev"
for node in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 0666 "$root/dev/${node%:*}" c 1 "${node#*:}"
done
mknod -m 0666 "$root/dev/tty" c 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
mount -t tmpfs -o mode=0755 none "$root/run"
# The services of this machine stay out.
mount -t tmpfs -o mode=0755 none "$root/etc/systemd/system"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs -o mode=0755 none "$root/sys/fs/cgroup"
  sed 's/^[0-9]*://' /proc/self/cgroup | while IFS=: read -r controllers _; do
    case $controllers in
      cpuset) continue ;;
      '') at=unified kind=cgroup2 options=rw ;;
      name=*) at=${controllers#name=} kind=cgroup options=none,$controllers ;;
      *) at=$controllers kind=cgroup options=$controllers ;;
    esac
    [ -d "/sys/fs/cgroup/$at" ] || continue
    mkdir "$root/sys/fs/cgroup/$at"
    mount -t $kind -o "$options" $kind "$root/sys/fs/cgroup/$at"
  done
fi
: >"$root/etc/fstab"
tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
units=$root/etc/systemd/system
printf '[Unit]\nRequires=basic.target dbus.service\nAfter=basic.target dbus.service\n' >"$units/machine.target"
# They change the kernel, which is everybody's.
for unit in systemd-sysctl systemd-modules-load systemd-binfmt systemd-udevd systemd-random-seed systemd-pstore; do
  ln -s /dev/null "$units/$unit.service"
done
for unit in sys-kernel-debug sys-kernel-tracing sys-kernel-config sys-fs-fuse-connections dev-hugepages; do
  ln -s /dev/null "$units/$unit.mount"
done
hostname field-device
cd "$root"
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
rmdir /.outside
dropped=-sys_time,-sys_module,-wake_alarm${lacks:+,-$lacks}
exec setpriv --bounding-set="$dropped" --inh-caps="$dropped" \
  env -i container=jarvis-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=machine.target --show-status=no --log-target=journal
