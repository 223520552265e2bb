import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A library's jar, in a form that an AOT cache takes whole. Two kinds of classes it leaves out: signed ones, and those in Java 5's
 * format. Signatures only matter to security providers, and none of these libraries is used as one; a class of Java 5 is the same in
 * Java 7's format, but for a table by which it is verified in one pass.
 */
final class CacheableJar {
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");

    private final JarFile jar;
    private final ClassFile format;

    private CacheableJar(JarFile jar) {
        this.jar = jar;
        ClassHierarchyResolver here = ClassHierarchyResolver.ofResourceParsing(this::open);
        this.format = ClassFile.of(
                ClassHierarchyResolverOption.of(here.orElse(ClassHierarchyResolver.defaultResolver())),
                StackMapsOption.GENERATE_STACK_MAPS);
    }

    /** Rewrites a jar in its place. */
    static void rewrite(Path file) throws IOException {
        Path rewritten = file.resolveSibling(file.getFileName() + ".new");
        try (JarFile jar = new JarFile(file.toFile(), false);
                OutputStream out = Files.newOutputStream(rewritten)) {
            new CacheableJar(jar).write(out);
        }
        Files.move(rewritten, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void write(OutputStream out) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (ZipEntry entry : jar.stream().toList()) {
                if (SIGNATURE.matcher(entry.getName()).matches()) {
                    continue;
                }
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(entry.getTimeLocal());
                zip.putNextEntry(copy);
                switch (entry.getName()) {
                    case JarFile.MANIFEST_NAME -> writeManifest(zip);
                    case String name when name.endsWith(".class") -> zip.write(renewed(read(entry)));
                    default -> zip.write(read(entry));
                }
                zip.closeEntry();
            }
        }
    }

    /** Without the digests of each file, which are nine tenths of a signed jar's manifest. */
    private void writeManifest(OutputStream out) throws IOException {
        Manifest manifest = new Manifest(jar.getManifest());
        manifest.getEntries().clear();
        manifest.write(out);
    }

    private byte[] renewed(byte[] bytes) {
        ClassModel old = format.parse(bytes);
        if (old.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            return bytes;
        }
        ClassTransform version = (builder, element) -> {
            if (element instanceof ClassFileVersion) {
                builder.withVersion(ClassFile.JAVA_7_VERSION, 0);
            } else {
                builder.with(element);
            }
        };
        // Each instruction is written anew: that is what makes the table.
        return format.transformClass(
                old, version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
    }

    private byte[] read(ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private InputStream open(ClassDesc type) {
        String descriptor = type.descriptorString();
        ZipEntry entry = jar.getEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
