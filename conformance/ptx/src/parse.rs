// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of a module: its kernels, their parameters, registers and labels.

use std::collections::HashMap;
use std::fmt;

use crate::decode::{self, Instruction};

/// Why a module cannot be run here: the statement, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// A parsed module.
#[derive(Debug, Default)]
pub struct Module {
    /// In the order of the text.
    pub kernels: Vec<Kernel>,
}

/// A parameter of a kernel: where its bytes are in the block of all parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the text.
    pub name: String,
    /// Bytes before it.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
}

/// One `.entry`.
#[derive(Debug, Default)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// In the order of the arguments.
    pub parameters: Vec<Parameter>,
    pub(crate) instructions: Vec<Instruction>,
    /// The statement of each instruction.
    pub(crate) texts: Vec<String>,
    /// What each register holds when a thread begins: zero, or a constant of the text.
    pub(crate) registers: Vec<u64>,
}

impl Module {
    /// Reads a module; refuses one that uses what is not implemented here.
    pub fn parse(text: &str) -> Result<Module, Refusal> {
        let mut module = Module::default();
        let mut lines = text.lines().map(without_comment).filter(|line| !line.is_empty());
        while let Some(line) = lines.next() {
            if let Some(at) = line.find(".entry ") {
                module.kernels.push(kernel(&line[at + 7..], &mut lines)?);
            } else if !header(line) {
                return Err(Refusal(format!("{line}: only kernels may stand at the top of a module")));
            }
        }
        Ok(module)
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

impl Kernel {
    /// Bytes of all parameters together.
    pub fn parameter_bytes(&self) -> usize {
        self.parameters.last().map_or(0, |last| last.offset + last.size)
    }
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim()
}

fn header(line: &str) -> bool {
    [".version", ".target", ".address_size"].iter().any(|word| line.starts_with(word))
}

/// Reads from behind the word `.entry` to the closing brace.
fn kernel<'t>(first: &str, lines: &mut impl Iterator<Item = &'t str>) -> Result<Kernel, Refusal> {
    let (name, rest) = first.split_once('(').unwrap_or((first, ""));
    let mut kernel = Kernel { name: name.trim().to_owned(), ..Kernel::default() };
    let mut head = rest.to_owned();
    while !head.contains(')') {
        head += lines.next().ok_or_else(|| Refusal(format!("{name}: the text ends in its parameters")))?;
    }
    let (list, after) = head.split_once(')').expect("just seen");
    parameters(list, &mut kernel)?;
    if !after.contains('{') {
        lines.find(|line| *line == "{").ok_or_else(|| Refusal(format!("{name}: it has no body")))?;
    }
    body(&mut kernel, lines)?;
    Ok(kernel)
}

fn parameters(list: &str, kernel: &mut Kernel) -> Result<(), Refusal> {
    for text in list.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let refusal = || Refusal(format!("{}: the parameter `{text}` has a form that is not known", kernel.name));
        let words: Vec<&str> = text.split_whitespace().collect();
        let ([.., kind, name], true) = (&words[..], words[0] == ".param") else { return Err(refusal()) };
        let unit = decode::bits(kind.trim_start_matches('.')).ok_or_else(refusal)? / 8;
        let align = words.iter().position(|word| *word == ".align").map_or(Some(unit), |at| words[at + 1].parse().ok());
        let (name, count) = match name.trim_end_matches(']').split_once('[') {
            Some((name, count)) => (name, count.parse().map_err(|_| refusal())?),
            None => (*name, 1),
        };
        let offset = kernel.parameter_bytes().next_multiple_of(align.ok_or_else(refusal)?);
        kernel.parameters.push(Parameter { name: name.to_owned(), offset, size: unit * count });
    }
    Ok(())
}

/// What the names in a body mean while it is read.
#[derive(Default)]
pub(crate) struct Names {
    slots: HashMap<String, u32>,
    /// The first instruction behind a label.
    pub(crate) labels: HashMap<String, u32>,
    pub(crate) parameters: HashMap<String, Parameter>,
    pub(crate) values: Vec<u64>,
}

impl Names {
    fn of(kernel: &Kernel) -> Names {
        let mut names = Names::default();
        for name in crate::execute::SPECIAL {
            names.define(name, (name == "1") as u64);
        }
        names.parameters = kernel.parameters.iter().map(|p| (p.name.clone(), p.clone())).collect();
        names
    }

    fn define(&mut self, name: &str, value: u64) -> u32 {
        let slot = self.values.len() as u32;
        self.slots.insert(name.to_owned(), slot);
        self.values.push(value);
        slot
    }

    /// The register of a name.
    pub(crate) fn register(&self, name: &str) -> Result<u32, String> {
        self.slots.get(name).copied().ok_or_else(|| format!("there is no register {name}"))
    }

    /// A register that holds a constant.
    pub(crate) fn constant(&mut self, text: &str, value: u64) -> u32 {
        let known = self.slots.get(text).copied();
        known.unwrap_or_else(|| self.define(text, value))
    }

    /// `.reg .b32 %r<5>;` makes `%r0` to `%r4`; `.reg .b32 %x, %y;` makes those.
    fn declare(&mut self, line: &str) -> Result<(), String> {
        let list = line.trim_end_matches(';').trim_start_matches(".reg").trim_start();
        let (_, names) = list.split_once(char::is_whitespace).ok_or("no register is named")?;
        for name in names.split(',').map(str::trim) {
            match name.trim_end_matches('>').split_once('<') {
                Some((stem, count)) => {
                    let count = count.parse::<u32>().map_err(|_| "the number of registers is not a number")?;
                    (0..count).for_each(|i| _ = self.define(&format!("{stem}{i}"), 0));
                }
                None => _ = self.define(name, 0),
            }
        }
        Ok(())
    }
}

fn body<'t>(kernel: &mut Kernel, lines: &mut impl Iterator<Item = &'t str>) -> Result<(), Refusal> {
    let refusal = |line: &str, reason: String| Refusal(format!("{}: `{line}`: {reason}", kernel.name));
    let mut names = Names::of(kernel);
    let mut statements = Vec::new();
    for line in lines.take_while(|line| *line != "}") {
        if line.starts_with(".reg") {
            names.declare(line).map_err(|reason| refusal(line, reason))?;
        } else if let Some(label) = line.strip_suffix(':') {
            names.labels.insert(label.to_owned(), statements.len() as u32);
        } else if !line.starts_with(".pragma") && !line.starts_with(".loc") {
            statements.push(line);
        }
    }
    let mut instructions = Vec::with_capacity(statements.len());
    for line in &statements {
        instructions.push(decode::statement(line, &mut names).map_err(|reason| refusal(line, reason))?);
    }
    if !matches!(instructions.last(), Some(last) if last.ends()) {
        return Err(refusal("}", "the end of the kernel can be reached without a return".to_owned()));
    }
    kernel.instructions = instructions;
    kernel.texts = statements.into_iter().map(|line| line.replace('\t', " ")).collect();
    kernel.registers = names.values;
    Ok(())
}
