"""packaging/make_pages.py: the man page and the completions of bash, zsh and fish.

    make_pages.py PROGRAM FOLDER

They come from what the program says of itself (`quickselection --describe`), so they cannot be older
than it.
"""
import json
import subprocess
import sys
from pathlib import Path


def choices(option):
    """The words that an option takes, when its kind of value lists them: {a,b} or a|b."""
    value = option["value"].split(":")[-1]
    if value.startswith("{") and value.endswith("}"):
        return value[1:-1].split(",")
    return value.split("|") if "|" in value else []


def takes_file(option):
    return "FILE" in option["value"] or "positional" in option


def roff(text):
    lines = text.replace("\\", "\\\\").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in lines)


def man_of_option(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.get("names", []))
    names = names or f"\\fI{roff(option['positional'])}\\fR"
    value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
    default = f" [{roff(option['default'])}]" if option["default"] else ""
    return f".TP\n{names}{value}{default}\n{roff(option['help'])}\n"


def footer_of(command):
    return f".PP\n.nf\n{roff(command['footer'])}\n.fi\n" if command["footer"] else ""


def man_page(program, version):
    page = (f'.TH QUICKSELECTION 1 "" "QuickSelection {version}" "User Commands"\n'
            f".SH NAME\nquickselection \\- which features matter, without labels\n"
            f".SH SYNOPSIS\n.B quickselection\n\\fICOMMAND\\fR [\\fIoptions\\fR]\n"
            f".SH DESCRIPTION\n{roff(program['help'])}\n{footer_of(program)}.SH COMMANDS\n")
    for command in program["commands"]:
        page += f".TP\n\\fB{command['name']}\\fR\n{roff(command['help'])}\n"
    for command in program["commands"]:
        page += f".SH QUICKSELECTION {roff(command['name'].upper())}\n{roff(command['help'])}\n"
        page += "".join(map(man_of_option, command["options"])) + footer_of(command)
    return page


def bash(program):
    cases = ""
    for command in program["commands"]:
        values = "".join(
            f"        {'|'.join(option['names'])}) words='{' '.join(choices(option))}' ;;\n"
            for option in command["options"] if choices(option) and "names" in option)
        names = " ".join(name for option in command["options"] for name in option.get("names", []))
        inner = f"      case $last in\n{values}      esac\n" if values else ""
        cases += f"    {command['name']})\n      options='{names}'\n{inner}      ;;\n"
    commands = " ".join(command["name"] for command in program["commands"])
    return f"""# bash completion of quickselection
_quickselection() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} options= words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{commands} --help --version' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _quickselection quickselection
"""


def first_line(text):
    return text.split("\n")[0].replace("'", "’").replace("`", "").strip()


def zsh(program):
    quote = lambda text: first_line(text).replace("[", "(").replace("]", ")").replace(":", ";")
    commands = "\n".join(f"    '{c['name']}:{quote(c['help'])}'" for c in program["commands"])
    cases = ""
    for command in program["commands"]:
        specs = ""
        for option in command["options"]:
            action = f"({' '.join(choices(option))})" if choices(option) else (
                "_files" if takes_file(option) else "")
            value = f":{quote(option['value']) or ' '}:{action}" if option["value"] else ""
            for name in option.get("names", []):
                specs += f" \\\n        '{name}[{quote(option['help'])}]{value}'"
        cases += f"    {command['name']})\n      _arguments{specs} \\\n        '*:file:_files'\n      ;;\n"
    return f"""#compdef quickselection
_quickselection() {{
  local -a commands
  commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}  esac
}}
_quickselection "$@"
"""


def fish(program):
    text = "# fish completion of quickselection\n"
    for command in program["commands"]:
        name = command["name"]
        text += (f"complete -c quickselection -n __fish_use_subcommand -f -a {name} "
                 f"-d '{first_line(command['help'])}'\n")
        for option in command["options"]:
            if "names" not in option:
                continue
            flags = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}"
                             for n in option["names"])
            if choices(option):
                flags += f" -x -a '{' '.join(choices(option))}'"
            elif option["value"]:
                flags += " -r"
            text += (f"complete -c quickselection -n '__fish_seen_subcommand_from {name}' {flags} "
                     f"-d '{first_line(option['help'])}'\n")
    return text


def main():
    program_path, folder = sys.argv[1], Path(sys.argv[2])
    said = lambda *words: subprocess.run([program_path, *words], check=True, text=True,
                                         capture_output=True).stdout
    program = json.loads(said("--describe"))
    version = said("--version").split()[-1]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"quickselection.1": man_page(program, version),
                       "quickselection.bash": bash(program),
                       "_quickselection": zsh(program),
                       "quickselection.fish": fish(program)}.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
